(* What a certificate of novikoff proves, proven.

   The first part defines the words: data, planes, separable, touching, overlapping, errors, margin, the
   perceptron. Whoever agrees with these definitions needs to read no proof. The other parts are about one
   kind of certificate each: a function that checks it by computing with integers, and the theorem that
   what the function accepts is true of the data. Standard library only, no axioms. *)

Require Import ZArith QArith List Bool Lia Lqa.
Import ListNotations.
Open Scope Q_scope.

(* ** Words *)

Inductive label := Minus | Plus.
Definition example : Type := label * list Q.

Definition sign (y : label) : Z := match y with Minus => -1 | Plus => 1 end.

Fixpoint dot (u v : list Q) : Q :=
  match u, v with
  | x :: u', y :: v' => x * y + dot u' v'
  | _, _ => 0
  end.

(* y(w.x + b): above 0 where the plane has the example on the side of its label. *)
Definition signed_score (w : list Q) (b : Q) (e : example) : Q :=
  inject_Z (sign (fst e)) * (dot w (snd e) + b).

(* With an intercept every plane may be tried, without one only those through the origin. *)
Inductive planes := every_plane | planes_through_0.
Definition allowed (p : planes) (b : Q) : Prop :=
  match p with every_plane => True | planes_through_0 => b == 0 end.

Definition separates w b (D : list example) : Prop := forall e, In e D -> 0 < signed_score w b e.
Definition weakly_separates w b (D : list example) : Prop := forall e, In e D -> 0 <= signed_score w b e.

Definition separable p D : Prop := exists w b, allowed p b /\ separates w b D.

Definition touching p D : Prop :=
  ~ separable p D /\
  exists w b, allowed p b /\ weakly_separates w b D /\ exists e, In e D /\ 0 < signed_score w b e.

(* Every weak separator has every example on its plane: it separates nothing. *)
Definition overlapping p D : Prop :=
  D <> [] /\ forall w b, allowed p b -> weakly_separates w b D -> forall e, In e D -> signed_score w b e == 0.

(* An error is an example that is not strictly on its side. *)
Definition wrong w b (e : example) : bool := Qle_bool (signed_score w b e) 0.
Definition errors w b (D : list example) : nat := length (filter (wrong w b) D).
Definition at_least_errors p (k : N) D : Prop := forall w b, allowed p b -> (k <= N.of_nat (errors w b D))%N.

(* Where examples weigh something, what counts is the weight of the errors. *)
Fixpoint weight_of_errors (weights : list Q) w b (D : list example) : Q :=
  match weights, D with
  | c :: weights', e :: D' => (if wrong w b e then c else 0) + weight_of_errors weights' w b D'
  | _, _ => 0
  end.

(* The examples but those that are marked with 1. *)
Fixpoint except (marks : list Z) (D : list example) : list example :=
  match D with
  | [] => []
  | e :: D' => if Z.eqb (hd 0%Z marks) 1 then except (tl marks) D' else e :: except (tl marks) D'
  end.

(* The margin of a plane is m/|w|, with m the least y(w.x + b); the margin of the data is the largest of them.
   Its square is rational where it may not be: it is at least G if some plane has every signed score above 0
   and its square at least G |w|^2, and at most G if signed scores of at least m >= 0 imply m^2 <= G |w|^2. *)
Definition margin_squared_at_least p (G : Q) D : Prop :=
  exists w b, allowed p b /\
    forall e, In e D -> 0 < signed_score w b e /\ G * dot w w <= signed_score w b e * signed_score w b e.
Definition margin_squared_at_most p (G : Q) D : Prop :=
  forall w b m, allowed p b -> 0 <= m -> (forall e, In e D -> m <= signed_score w b e) ->
    m * m <= G * dot w w.

(* The perceptron's own geometry has the bias as a weight: the point (1, x), planes through the origin. *)
Definition with_one (e : example) : example := (fst e, 1 :: snd e).
Definition augmented p (D : list example) : list example :=
  match p with every_plane => map with_one D | planes_through_0 => D end.

Definition radius_squared_at_most (R2 : Q) (D : list example) : Prop :=
  0 <= R2 /\ forall e, In e D -> dot (snd e) (snd e) <= R2.

Fixpoint plus (u v : list Q) : list Q :=
  match u, v with
  | [], _ => v
  | _, [] => u
  | x :: u', y :: v' => (x + y) :: plus u' v'
  end.
Definition times (c : Q) (u : list Q) : list Q := map (Qmult c) u.
Definition zero (u : list Q) : Prop := forall x, In x u -> x == 0.

(* The perceptron with learning rate eta, on data whose points hold the 1 of the bias if there is one.
   [run eta D w w' k]: some sequence of examples of D leads from the weights w to w' with k mistakes. Which
   example comes next is free, so every order is one of these; at a score of exactly 0 it is free whether
   that is a mistake, so every tie rule is. *)
Inductive run (eta : Q) (D : list example) (w : list Q) : list Q -> nat -> Prop :=
| start : run eta D w w 0
| no_mistake : forall w' k e, run eta D w w' k -> In e D -> 0 <= signed_score w' 0 e -> run eta D w w' k
| mistake : forall w' k e, run eta D w w' k -> In e D -> signed_score w' 0 e <= 0 ->
    run eta D w (plus w' (times (eta * inject_Z (sign (fst e))) (snd e))) (S k).

(* How a file states its data: the integers of a row times the units of the columns. The integers are
   kept as decimal digits, which Coq reads faster. *)
Definition row : Type := label * list Number.int.
Delimit Scope dec_int_scope with digits.
Fixpoint scaled (units : list Q) (x : list Number.int) : list Q :=
  match units, x with
  | u :: units', z :: x' => (inject_Z (Z.of_num_int z) * u) :: scaled units' x'
  | _, _ => []
  end.
Definition point units (r : row) : example := (fst r, scaled units (snd r)).
Definition points units (rows : list row) : list example := map (point units) rows.

Definition has_shape (n d : N) (D : list example) : Prop :=
  N.of_nat (length D) = n /\ forall e, In e D -> N.of_nat (length (snd e)) = d.

(* ** Algebra *)

(* Integer rows against rational weights. *)

Fixpoint zdot (a : list Z) (v : list Q) : Q :=
  match a, v with
  | x :: a', y :: v' => inject_Z x * y + zdot a' v'
  | _, _ => 0
  end.

Fixpoint add (a b : list Z) : list Z :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a', y :: b' => (x + y)%Z :: add a' b'
  end.

Definition scale (c : Z) (a : list Z) : list Z := map (Z.mul c) a.

(* The sum of alpha_i A_i. Most alpha are 0 where they speak of many rows. *)
Fixpoint combination (alpha : list Z) (A : list (list Z)) : list Z :=
  match alpha, A with
  | 0%Z :: alpha', _ :: A' => combination alpha' A'
  | c :: alpha', a :: A' => add (scale c a) (combination alpha' A')
  | _, _ => []
  end.

(* Numbers that are mostly 0: each with how many zeros come before it. *)
Definition spread (l : list (N * Z)) : list Z :=
  flat_map (fun gc => repeat 0%Z (N.to_nat (fst gc)) ++ [snd gc]) l.

Definition is_zero (a : list Z) : bool := forallb (Z.eqb 0) a.
Definition non_negative (a : list Z) : bool := forallb (Z.leb 0) a.

Definition total (a : list Z) : Z := fold_right Z.add 0%Z a.

Lemma zdot_nil : forall a, zdot a [] = 0.
Proof. destruct a; reflexivity. Qed.

Lemma zdot_add : forall a b v, zdot (add a b) v == zdot a v + zdot b v.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; destruct v as [|z v]; cbn [add zdot]; try ring.
  rewrite IH, inject_Z_plus. ring.
Qed.

Lemma zdot_scale : forall c a v, zdot (scale c a) v == inject_Z c * zdot a v.
Proof.
  induction a as [|x a IH]; destruct v as [|z v]; cbn [scale map zdot]; try ring.
  unfold scale in IH. rewrite IH, inject_Z_mult. ring.
Qed.

Lemma zdot_zero : forall a v, is_zero a = true -> zdot a v == 0.
Proof.
  induction a as [|x a IH]; intros v H; destruct v as [|z v]; cbn [zdot]; try reflexivity.
  cbn [is_zero forallb] in H. apply andb_prop in H as [Hx Ha]. apply Z.eqb_eq in Hx. subst x.
  rewrite (IH v Ha). unfold inject_Z. ring.
Qed.

Lemma combination_cons : forall c alpha a A v,
  zdot (combination (c :: alpha) (a :: A)) v == inject_Z c * zdot a v + zdot (combination alpha A) v.
Proof.
  intros. destruct c; cbn [combination]; [unfold inject_Z; ring | |]; rewrite zdot_add, zdot_scale; reflexivity.
Qed.

(* Exchanging two sums: (alpha A) v = alpha (A v). *)
Lemma combination_scores : forall alpha A v,
  zdot (combination alpha A) v == zdot alpha (map (fun a => zdot a v) A).
Proof.
  induction alpha as [|c alpha IH]; intros A v; [reflexivity|].
  destruct A as [|a A]; [destruct c; reflexivity|].
  rewrite combination_cons, IH. reflexivity.
Qed.

Fixpoint idot (a b : list Z) : Z :=
  match a, b with
  | x :: a', y :: b' => (x * y + idot a' b')%Z
  | _, _ => 0%Z
  end.

Lemma idot_add : forall a b z, idot (add a b) z = (idot a z + idot b z)%Z.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; destruct z as [|t z]; cbn [add idot]; try lia.
  rewrite IH. ring.
Qed.

Lemma idot_scale : forall c a z, idot (scale c a) z = (c * idot a z)%Z.
Proof.
  induction a as [|x a IH]; destruct z as [|t z]; cbn [scale map idot]; try lia.
  unfold scale in IH. rewrite IH. ring.
Qed.

Lemma idot_combination_cons : forall c alpha a A z,
  idot (combination (c :: alpha) (a :: A)) z = (c * idot a z + idot (combination alpha A) z)%Z.
Proof. intros. destruct c; cbn [combination]; [lia | |]; rewrite idot_add, idot_scale; reflexivity. Qed.

Lemma Q_positive : forall c, (0 < c)%Z -> 0 < inject_Z c.
Proof. intros. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. assumption. Qed.

Lemma Q_non_negative : forall c, (0 <= c)%Z -> 0 <= inject_Z c.
Proof. intros. change 0 with (inject_Z 0). rewrite <- Zle_Qle. assumption. Qed.

Lemma dot_comm : forall u v, dot u v == dot v u.
Proof.
  induction u as [|x u IH]; destruct v as [|y v]; cbn [dot]; try reflexivity. rewrite IH. ring.
Qed.

(* ** Rows *)

(* From a row of the file to an integer row: y(1, x), or y(0, x) without an intercept. *)

Definition lead (p : planes) (s : Z) : Z := match p with every_plane => s | planes_through_0 => 0 end.
Definition signed_row (p : planes) (r : row) : list Z :=
  let s := sign (fst r) in lead p s :: map (fun z => s * Z.of_num_int z)%Z (snd r).

Fixpoint in_units (units w : list Q) : list Q :=
  match units, w with
  | u :: units', x :: w' => (u * x) :: in_units units' w'
  | _, _ => []
  end.
Definition hat (units w : list Q) (b : Q) : list Q := b :: in_units units w.

Lemma zdot_scaled : forall s units w x,
  zdot (map (fun z => s * Z.of_num_int z)%Z x) (in_units units w) == inject_Z s * dot w (scaled units x).
Proof.
  induction units as [|u units IH]; intros w x; cbn [in_units scaled].
  - rewrite zdot_nil. destruct w; cbn [dot]; ring.
  - destruct x as [|z x]; destruct w as [|a w]; cbn [map zdot dot]; try ring.
    rewrite IH, inject_Z_mult. ring.
Qed.

Lemma signed_row_score : forall p units w b r, allowed p b ->
  zdot (signed_row p r) (hat units w b) == signed_score w b (point units r).
Proof.
  intros p units w b [y x] H. unfold signed_row, hat, signed_score, point. cbn [fst snd zdot].
  rewrite zdot_scaled. destruct p; cbn [lead].
  - ring.
  - cbn [allowed] in H. rewrite H. unfold inject_Z at 1. ring.
Qed.

Definition matrix p (rows : list row) : list (list Z) := map (signed_row p) rows.

Lemma scores_of_rows : forall p units w b rows (P : Q -> Prop), allowed p b ->
  (forall q q', q == q' -> P q -> P q') ->
  (forall a, In a (matrix p rows) -> P (zdot a (hat units w b))) <->
  (forall e, In e (points units rows) -> P (signed_score w b e)).
Proof.
  intros p units w b rows P ok proper. unfold matrix, points. split; intros H x Hx;
    apply in_map_iff in Hx as [r [<- Hr]].
  - apply (proper (zdot (signed_row p r) (hat units w b))); [apply signed_row_score; exact ok|].
    apply H, in_map, Hr.
  - apply (proper (signed_score w b (point units r))); [symmetry; apply signed_row_score; exact ok|].
    apply H, in_map, Hr.
Qed.

Lemma proper_lt : forall c q q', q == q' -> c < q -> c < q'.
Proof. intros c q q' E H. rewrite <- E. exact H. Qed.
Lemma proper_le : forall c q q', q == q' -> c <= q -> c <= q'.
Proof. intros c q q' E H. rewrite <- E. exact H. Qed.
Lemma proper_eq : forall q q', q == q' -> q == 0 -> q' == 0.
Proof. intros q q' E H. rewrite <- E. exact H. Qed.

Lemma scaled_length : forall units x, length x = length units -> length (scaled units x) = length units.
Proof.
  induction units as [|u units IH]; destruct x as [|z x]; cbn [scaled length]; intros H; try congruence.
  f_equal. apply IH. congruence.
Qed.

Definition check_shape (n d : N) (units : list Q) (rows : list row) : bool :=
  N.eqb (N.of_nat (length rows)) n && N.eqb (N.of_nat (length units)) d
  && forallb (fun r : row => N.eqb (N.of_nat (length (snd r))) d) rows.

Theorem shape_by : forall n d units rows, check_shape n d units rows = true ->
  has_shape n d (points units rows).
Proof.
  intros n d units rows H. unfold check_shape in H. apply andb_prop in H as [H each].
  apply andb_prop in H as [Hn Hd]. apply N.eqb_eq in Hn, Hd.
  split; [unfold points; rewrite map_length; exact Hn|]. intros e He. apply in_map_iff in He as [r [<- Hr]].
  rewrite forallb_forall in each. specialize (each r Hr). apply N.eqb_eq in each.
  cbn [point snd]. rewrite scaled_length; [exact Hd|]. apply Nnat.Nat2N.inj. congruence.
Qed.

(* ** Separable *)

(* The weights given separate. *)

(* The weights in the units of the columns, as integers over one denominator. *)
Definition over (L : positive) (q : Q) : Z := let r := Qred q in (Qnum r * (Zpos L / Zpos (Qden r)))%Z.
Definition over_all L (v : list Q) : list Z := map (over L) v.
Definition is_over L (v : list Q) : bool := forallb (fun q => Qeq_bool (over L q # L) q) v.

Lemma idot_over : forall L v a, is_over L v = true ->
  inject_Z (idot a (over_all L v)) == inject_Z (Zpos L) * zdot a v.
Proof.
  induction v as [|q v IH]; intros a H; destruct a as [|x a]; cbn [over_all map idot zdot];
    try (unfold inject_Z; ring).
  cbn [is_over forallb] in H. apply andb_prop in H as [Hq H]. apply Qeq_bool_eq in Hq.
  assert (E : inject_Z (over L q) == inject_Z (Zpos L) * q)
    by (rewrite <- Hq at 2; rewrite (Qmake_Qdiv (over L q) L); field; discriminate).
  unfold over_all in IH. rewrite inject_Z_plus, inject_Z_mult, (IH a H), E. ring.
Qed.

Definition check_allowed (p : planes) (b : Q) : bool :=
  match p with every_plane => true | planes_through_0 => Qeq_bool b 0 end.

Lemma allowed_by : forall p b, check_allowed p b = true -> allowed p b.
Proof. intros [] b H; [exact I | apply Qeq_bool_eq; exact H]. Qed.

Definition check_scores p units (rows : list row) w b L (accept : Z -> bool) : bool :=
  let v := over_all L (hat units w b) in
  check_allowed p b && is_over L (hat units w b) && forallb (fun r => accept (idot (signed_row p r) v)) rows.

Lemma scores_by : forall p units rows w b L accept, check_scores p units rows w b L accept = true ->
  allowed p b /\ forall r, In r rows -> exists z,
    accept z = true /\ inject_Z z == inject_Z (Zpos L) * signed_score w b (point units r).
Proof.
  intros p units rows w b L accept H. unfold check_scores in H. cbv zeta in H.
  apply andb_prop in H as [H each]. apply andb_prop in H as [ok whole]. apply allowed_by in ok.
  split; [exact ok|]. intros r Hr. rewrite forallb_forall in each. specialize (each r Hr).
  exists (idot (signed_row p r) (over_all L (hat units w b))). split; [exact each|].
  rewrite (idot_over _ _ _ whole), (signed_row_score p units w b r ok). reflexivity.
Qed.

Lemma positive_scaled : forall L z q, (0 < z)%Z -> inject_Z z == inject_Z (Zpos L) * q -> 0 < q.
Proof.
  intros L z q Hz E. assert (P : 0 < inject_Z (Zpos L)) by (apply Q_positive; reflexivity).
  apply Q_positive in Hz. rewrite E in Hz. apply Qmult_lt_l with (z := inject_Z (Zpos L)); [exact P|].
  rewrite Qmult_0_r. exact Hz.
Qed.

Lemma non_negative_scaled : forall L z q, (0 <= z)%Z -> inject_Z z == inject_Z (Zpos L) * q -> 0 <= q.
Proof.
  intros L z q Hz E. assert (P : 0 < inject_Z (Zpos L)) by (apply Q_positive; reflexivity).
  apply Q_non_negative in Hz. rewrite E in Hz. apply Qmult_le_l with (z := inject_Z (Zpos L)); [exact P|].
  rewrite Qmult_0_r. exact Hz.
Qed.

Definition check_separates p units rows w b L : bool := check_scores p units rows w b L (Z.ltb 0).

Theorem separates_by : forall p units rows w b L, check_separates p units rows w b L = true ->
  allowed p b /\ separates w b (points units rows).
Proof.
  intros p units rows w b L H. apply scores_by in H as [ok each]. split; [exact ok|].
  intros e He. apply in_map_iff in He as [r [<- Hr]]. destruct (each r Hr) as [z [Hz E]].
  apply Z.ltb_lt in Hz. exact (positive_scaled L z _ Hz E).
Qed.

Corollary separable_by : forall p units rows w b L, check_separates p units rows w b L = true ->
  separable p (points units rows).
Proof. intros. exists w, b. eapply separates_by; eassumption. Qed.

(* ** Not separable *)

(* Gordan: alpha >= 0, one of them above 0, with sum alpha_i y_i (1, x_i) = 0. *)

(* A sum of terms that are not negative is 0 only if each of them is. *)
Lemma vanishing_terms : forall alpha scores, non_negative alpha = true ->
  (forall c s, In (c, s) (List.combine alpha scores) -> (0 < c)%Z -> 0 <= s) ->
  0 <= zdot alpha scores /\
  (zdot alpha scores == 0 -> forall c s, In (c, s) (List.combine alpha scores) -> (0 < c)%Z -> s == 0).
Proof.
  induction alpha as [|c alpha IH]; intros scores P S; [split; [discriminate | intros _ c s []]|].
  destruct scores as [|s scores]; [split; [discriminate | intros _ c' s []]|].
  cbn [non_negative forallb] in P. apply andb_prop in P as [Pc P]. apply Z.leb_le in Pc.
  destruct (IH scores P) as [rest zero_rest]; [intros c' t Ht; apply S; right; exact Ht|].
  assert (term : 0 <= inject_Z c * s).
  { apply Z.le_lteq in Pc as [Pc | <-]; [|unfold inject_Z; lra].
    apply Qmult_le_0_compat; [apply Qlt_le_weak, Q_positive, Pc |
      apply (S c); [left; reflexivity | exact Pc]]. }
  cbn [zdot List.combine]. split; [lra|]. intros E c' s' [H|H] Hc.
  - injection H as <- <-. apply Q_positive in Hc. assert (T : inject_Z c * s == 0) by lra.
    apply Qmult_integral in T as [T|T]; [rewrite T in Hc; discriminate | exact T].
  - apply (zero_rest ltac:(lra) c' s' H Hc).
Qed.

Lemma in_combine_map : forall (alpha : list Z) (A : list (list Z)) (f : list Z -> Q) c a,
  In (c, a) (List.combine alpha A) -> In (c, f a) (List.combine alpha (map f A)).
Proof.
  induction alpha as [|c' alpha IH]; intros A f c a H; [destruct H|]. destruct A as [|a' A]; [destruct H|].
  destruct H as [H|H]; [left; congruence | right; apply IH; exact H].
Qed.

Lemma combine_map_in : forall (alpha : list Z) (A : list (list Z)) (f : list Z -> Q) c s,
  In (c, s) (List.combine alpha (map f A)) -> exists a, s = f a /\ In (c, a) (List.combine alpha A).
Proof.
  induction alpha as [|c' alpha IH]; intros A f c s H; [destruct H|]. destruct A as [|a' A]; [destruct H|].
  destruct H as [H|H]; [exists a'; injection H as -> <-; split; [|left]; reflexivity|].
  destruct (IH A f c s H) as [a [E Ha]]. exists a. split; [exact E | right; exact Ha].
Qed.

(* The heart of all that follows: what is weakly separated is on the plane wherever alpha is above 0. *)
Lemma on_the_plane : forall alpha A v, non_negative alpha = true -> is_zero (combination alpha A) = true ->
  (forall c a, In (c, a) (List.combine alpha A) -> (0 < c)%Z -> 0 <= zdot a v) ->
  forall c a, In (c, a) (List.combine alpha A) -> (0 < c)%Z -> zdot a v == 0.
Proof.
  intros alpha A v P Z0 S c a H Hc.
  destruct (vanishing_terms alpha (map (fun a => zdot a v) A) P) as [_ vanish].
  - intros c' s Hs Hc'. apply combine_map_in in Hs as [a' [-> Ha]]. exact (S c' a' Ha Hc').
  - apply (vanish ltac:(rewrite <- combination_scores; apply zdot_zero; exact Z0) c);
      [apply (in_combine_map _ _ (fun a => zdot a v)); exact H | exact Hc].
Qed.

Definition check_alpha (alpha : list Z) (A : list (list Z)) : bool :=
  non_negative alpha && existsb (fun ca => Z.ltb 0 (fst ca)) (List.combine alpha A)
  && is_zero (combination alpha A).

Lemma some_on_the_plane : forall alpha A v, check_alpha alpha A = true ->
  (forall a, In a A -> 0 <= zdot a v) -> exists a, In a A /\ zdot a v == 0.
Proof.
  intros alpha A v H S. unfold check_alpha in H. apply andb_prop in H as [H Z0]. apply andb_prop in H as [P E].
  apply existsb_exists in E as [[c a] [Hin Hc]]. apply Z.ltb_lt in Hc. exists a. split.
  - exact (in_combine_r _ _ _ _ Hin).
  - apply (on_the_plane alpha A v P Z0) with (c := c); [|exact Hin | exact Hc].
    intros c' a' Ha _. exact (S a' (in_combine_r _ _ _ _ Ha)).
Qed.

Definition check_not_separable p (rows : list row) (alpha : list Z) : bool := check_alpha alpha (matrix p rows).

(* Whatever other examples there are: the rows that matter are enough. *)
Theorem not_separable_by : forall p units rows alpha, check_not_separable p rows alpha = true ->
  forall others, ~ separable p (points units rows ++ others).
Proof.
  intros p units rows alpha H others [w [b [ok S]]].
  assert (S' : forall a, In a (matrix p rows) -> 0 < zdot a (hat units w b)).
  { apply scores_of_rows; [exact ok | apply proper_lt|]. intros e He. apply S, in_or_app. left. exact He. }
  destruct (some_on_the_plane alpha _ (hat units w b) H) as [a [Ha E]].
  - intros a Ha. apply Qlt_le_weak, S', Ha.
  - specialize (S' a Ha). rewrite E in S'. discriminate.
Qed.

(* ** Touching *)

(* Alpha forbids a strict separator, and the weights given separate weakly. *)

Definition check_touching p units rows w b L alpha : bool :=
  check_not_separable p rows alpha && check_scores p units rows w b L (Z.leb 0)
  && existsb (fun r => Z.ltb 0 (idot (signed_row p r) (over_all L (hat units w b)))) rows.

Theorem touching_by : forall p units rows w b L alpha, check_touching p units rows w b L alpha = true ->
  allowed p b /\ weakly_separates w b (points units rows) /\ touching p (points units rows).
Proof.
  intros p units rows w b L alpha H. unfold check_touching in H.
  apply andb_prop in H as [H off]. apply andb_prop in H as [none weak].
  assert (whole : is_over L (hat units w b) = true).
  { unfold check_scores in weak. cbv zeta in weak. apply andb_prop in weak as [weak _].
    apply andb_prop in weak as [_ weak]. exact weak. }
  apply scores_by in weak as [ok each].
  assert (W : weakly_separates w b (points units rows)).
  { intros e He. apply in_map_iff in He as [r [<- Hr]]. destruct (each r Hr) as [z [Hz E]].
    apply Z.leb_le in Hz. exact (non_negative_scaled L z _ Hz E). }
  split; [exact ok|]. split; [exact W|]. split.
  - rewrite <- (app_nil_r (points units rows)). exact (not_separable_by p units rows alpha none []).
  - exists w, b. split; [exact ok|]. split; [exact W|].
    apply existsb_exists in off as [r [Hr Hz]]. apply Z.ltb_lt in Hz.
    exists (point units r). split; [apply in_map; exact Hr|].
    apply (positive_scaled L _ _ Hz). rewrite (idot_over _ _ _ whole), signed_row_score by exact ok.
    reflexivity.
Qed.

(* ** Overlapping *)

(* Stiemke: alpha as before, and the rows with alpha > 0 span all rows.

   That rows B have no vector v with Bv = 0 but v = 0 is shown modulo any q >= 2: a matrix C with CB = 1
   modulo q. An integer v with Bv = 0 is then q times another one, which is q times another one, ... *)

Lemma overlapping_is_neither : forall p D, overlapping p D -> ~ separable p D /\ ~ touching p D.
Proof.
  intros p D [some plane]. split.
  - intros [w [b [ok S]]]. destruct D as [|e D]; [contradiction|].
    specialize (S e (or_introl eq_refl)) as strict.
    rewrite (plane w b ok (fun e He => Qlt_le_weak _ _ (S e He)) e (or_introl eq_refl)) in strict. discriminate.
  - intros [_ [w [b [ok [W [e [He strict]]]]]]]. rewrite (plane w b ok W e He) in strict. discriminate.
Qed.

Lemma with_what_it_excludes : forall p D, overlapping p D ->
  overlapping p D /\ ~ separable p D /\ ~ touching p D.
Proof. intros p D H. split; [exact H | apply overlapping_is_neither; exact H]. Qed.

Fixpoint unit_modulo (q : Z) (k : nat) (a : list Z) : bool :=
  match k, a with
  | O, x :: a' => Z.eqb ((x - 1) mod q) 0 && forallb (fun y => Z.eqb (y mod q) 0) a'
  | S k', x :: a' => Z.eqb (x mod q) 0 && unit_modulo q k' a'
  | _, [] => false
  end.

Fixpoint inverse_from (q : Z) (k : nat) (C B : list (list Z)) : bool :=
  match C with
  | [] => true
  | c :: C' => unit_modulo q k (combination c B) && inverse_from q (S k) C' B
  end.

Definition check_independent (q : Z) (C B : list (list Z)) : bool :=
  Z.leb 2 q && inverse_from q 0 C (map (map (fun x => x mod q)%Z) B).

Lemma divides_mod : forall q x, (2 <= q)%Z -> Z.eqb (x mod q) 0 = true -> (q | x)%Z.
Proof. intros q x Hq H. apply Z.eqb_eq in H. apply Z.mod_divide; [lia | exact H]. Qed.

Lemma multiples : forall q a z, (2 <= q)%Z -> forallb (fun y => Z.eqb (y mod q) 0) a = true -> (q | idot a z)%Z.
Proof.
  intros q a. induction a as [|x a IH]; intros z Hq H; [apply Z.divide_0_r|].
  destruct z as [|y z]; [apply Z.divide_0_r|]. cbn [forallb] in H. apply andb_prop in H as [Hx H].
  cbn [idot]. apply Z.divide_add_r; [apply Z.divide_mul_l, divides_mod; assumption | apply IH; assumption].
Qed.

Lemma unit_divides : forall q k a z, (2 <= q)%Z -> unit_modulo q k a = true -> (q | idot a z)%Z ->
  (q | nth k z 0)%Z.
Proof.
  intros q k. induction k as [|k IH]; intros a z Hq H D; destruct a as [|x a]; try discriminate;
    destruct z as [|y z]; try apply Z.divide_0_r; cbn [unit_modulo] in H; apply andb_prop in H as [Hx H];
    cbn [idot] in D; cbn [nth].
  - assert (D' : (q | x * y)%Z) by (apply Z.divide_add_cancel_r with (idot a z);
      [apply multiples; assumption | rewrite Z.add_comm; exact D]).
    apply divides_mod in Hx; [|exact Hq]. apply Z.divide_add_cancel_r with ((x - 1) * y)%Z;
      [apply Z.divide_mul_l; exact Hx|]. replace ((x - 1) * y + y)%Z with (x * y)%Z by ring. exact D'.
  - apply (IH a z Hq H), Z.divide_add_cancel_r with (x * y)%Z; [apply Z.divide_mul_l, divides_mod; assumption|].
    exact D.
Qed.

Lemma inverse_divides : forall q C B z k, (2 <= q)%Z -> inverse_from q k C B = true ->
  (forall c, (q | idot (combination c B) z)%Z) ->
  forall j, (k <= j < k + length C)%nat -> (q | nth j z 0)%Z.
Proof.
  intros q C B z. induction C as [|c C IH]; intros k Hq H D j Hj; cbn [length] in Hj; [lia|].
  cbn [inverse_from] in H. apply andb_prop in H as [Hc H].
  destruct (Nat.eq_dec j k) as [->|other]; [exact (unit_divides q k _ z Hq Hc (D c))|].
  apply (IH (S k) Hq H D). lia.
Qed.

Lemma combination_divides : forall q B z, (forall b, In b B -> (q | idot b z)%Z) ->
  forall c, (q | idot (combination c B) z)%Z.
Proof.
  intros q B z. induction B as [|b B IH]; intros H c.
  - destruct c as [|[] c]; apply Z.divide_0_r.
  - specialize (IH (fun b' Hb => H b' (or_intror Hb))). specialize (H b (or_introl eq_refl)).
    destruct c as [|x c]; [apply Z.divide_0_r|].
    destruct x; cbn [combination]; [apply IH | |];
      (rewrite idot_add, idot_scale; apply Z.divide_add_r; [apply Z.divide_mul_r; exact H | apply IH]).
Qed.

Lemma idot_modulo : forall q b z, (2 <= q)%Z -> (q | idot b z - idot (map (fun x => x mod q)%Z b) z)%Z.
Proof.
  intros q b z Hq. revert z. induction b as [|x b IH]; intros z; [apply Z.divide_0_r|].
  destruct z as [|y z]; [apply Z.divide_0_r|]. cbn [map idot]. destruct (IH z) as [m Hm].
  exists (x / q * y + m)%Z. pose proof (Z.div_mod x q ltac:(lia)) as E.
  rewrite Z.mul_add_distr_r, <- Hm. rewrite E at 1. ring.
Qed.

Lemma all_divisible : forall q C B z, check_independent q C B = true -> (length z <= length C)%nat ->
  (forall b, In b B -> idot b z = 0%Z) -> forall x, In x z -> (q | x)%Z.
Proof.
  intros q C B z H L Z0 x Hx. unfold check_independent in H. apply andb_prop in H as [Hq H].
  apply Z.leb_le in Hq.
  apply (In_nth _ _ 0%Z) in Hx as [j [Hj <-]].
  apply (inverse_divides q C _ z 0 Hq H); [|lia]. apply combination_divides.
  intros b Hb. apply in_map_iff in Hb as [b' [<- Hb]]. destruct (idot_modulo q b' z Hq) as [m Hm].
  rewrite (Z0 b' Hb) in Hm. exists (- m)%Z. lia.
Qed.

Lemma idot_quotient : forall q z b, (2 <= q)%Z -> (forall x, In x z -> (q | x)%Z) ->
  idot b z = (q * idot b (map (fun x => x / q)%Z z))%Z.
Proof.
  intros q z. induction z as [|x z IH]; intros b Hq D; destruct b as [|y b]; cbn [map idot]; try lia.
  rewrite (IH b Hq (fun x' Hx => D x' (or_intror Hx))). destruct (D x (or_introl eq_refl)) as [m ->].
  rewrite Z.div_mul by lia. ring.
Qed.

Lemma powers_divide : forall q C B k z, check_independent q C B = true -> (length z <= length C)%nat ->
  (forall b, In b B -> idot b z = 0%Z) -> forall x, In x z -> (q ^ Z.of_nat k | x)%Z.
Proof.
  intros q C B k. induction k as [|k IH]; intros z H L Z0 x Hx; [apply Z.divide_1_l|].
  assert (Hq : (2 <= q)%Z) by (apply andb_prop in H as [Hq _]; apply Z.leb_le; exact Hq).
  pose proof (all_divisible q C B z H L Z0) as D.
  assert (Z1 : forall b, In b B -> idot b (map (fun x => x / q)%Z z) = 0%Z).
  { intros b Hb. specialize (Z0 b Hb). rewrite (idot_quotient q z b Hq D) in Z0. lia. }
  destruct (IH (map (fun x => x / q)%Z z) H ltac:(rewrite map_length; exact L) Z1 (x / q)%Z
              (in_map (fun x => x / q)%Z z x Hx)) as [m Hm].
  destruct (D x Hx) as [m' ->]. rewrite Z.div_mul in Hm by lia. exists m. rewrite Hm.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. ring.
Qed.

Lemma exists_denominator : forall v : list Q, exists L, forall q, In q v -> (Zpos (Qden (Qred q)) | Zpos L)%Z.
Proof.
  induction v as [|q v [L IH]]; [exists 1%positive; intros q []|]. exists (Qden (Qred q) * L)%positive.
  intros q' [<-|H]; rewrite Pos2Z.inj_mul; [apply Z.divide_factor_l | apply Z.divide_mul_r, IH, H].
Qed.

Lemma over_is : forall L q, (Zpos (Qden (Qred q)) | Zpos L)%Z -> over L q # L == q.
Proof.
  intros L q H. rewrite <- (Qred_correct q) at 2. unfold over. cbv zeta.
  destruct (Qred q) as [n d], H as [m Hm].
  unfold Qeq. cbn [Qnum Qden] in *. rewrite Hm, Z.div_mul by lia. ring.
Qed.

(* Rows with an inverse modulo q are independent over the rationals. *)
Lemma independent : forall q C B v, check_independent q C B = true -> (length v <= length C)%nat ->
  (forall b, In b B -> zdot b v == 0) -> zero v.
Proof.
  intros q C B v H L Z0 x Hx. destruct (exists_denominator v) as [N HN].
  assert (whole : is_over N v = true)
    by (apply forallb_forall; intros y Hy; apply Qeq_eq_bool, over_is, HN, Hy).
  assert (Z1 : forall b, In b B -> idot b (over_all N v) = 0%Z).
  { intros b Hb. pose proof (idot_over N v b whole) as E. rewrite (Z0 b Hb), Qmult_0_r in E.
    unfold Qeq in E. cbn in E. lia. }
  assert (none : over N x = 0%Z).
  { set (z := over N x). pose proof (powers_divide q C B (Z.to_nat (Z.abs z)) (over_all N v) H
      ltac:(unfold over_all; rewrite map_length; exact L) Z1 z (in_map (over N) v x Hx)) as D.
    rewrite Z2Nat.id in D by apply Z.abs_nonneg.
    assert (Hq : (1 < q)%Z) by (apply andb_prop in H as [Hq _]; apply Z.leb_le in Hq; lia).
    pose proof (Z.pow_gt_lin_r q (Z.abs z) Hq (Z.abs_nonneg z)) as big.
    destruct (Z.eq_dec z 0) as [E|E]; [exact E|].
    apply Z.divide_abs_r, Z.divide_pos_le in D; lia. }
  rewrite <- (over_is N x (HN x Hx)), none. reflexivity.
Qed.

Lemma zdot_vanishes : forall a v, zero v -> zdot a v == 0.
Proof.
  induction a as [|x a IH]; destruct v as [|y v]; intros Z0; cbn [zdot]; try reflexivity.
  rewrite (IH v (fun t Ht => Z0 t (or_intror Ht))), (Z0 y (or_introl eq_refl)). ring.
Qed.

Definition supported (alpha : list Z) (A : list (list Z)) : list (list Z) :=
  map snd (filter (fun ca => Z.ltb 0 (fst ca)) (List.combine alpha A)).

Lemma supported_on_plane : forall alpha A v, check_alpha alpha A = true ->
  (forall a, In a A -> 0 <= zdot a v) ->
  forall a, In a (supported alpha A) -> zdot a v == 0.
Proof.
  intros alpha A v H S a Ha. unfold check_alpha in H. apply andb_prop in H as [H Z0].
  apply andb_prop in H as [P _].
  apply in_map_iff in Ha as [[c a'] [<- Ha]]. apply filter_In in Ha as [Ha Hc].
  apply Z.ltb_lt in Hc. apply (on_the_plane alpha A v P Z0) with (c := c); [|exact Ha | exact Hc].
  intros c'' a'' Hin _. exact (S a'' (in_combine_r _ _ _ _ Hin)).
Qed.

(* If the rows with alpha > 0 have the full rank, other examples with as many coordinates change nothing. *)

Definition core (p : planes) (a : list Z) : list Z :=
  match p with every_plane => a | planes_through_0 => tl a end.

Definition check_overlapping p (units : list Q) rows alpha q C : bool :=
  check_not_separable p rows alpha && forallb (fun u => Z.ltb 0 (Qnum u)) units
  && Nat.eqb (length C) (match p with every_plane => S (length units) | planes_through_0 => length units end)
  && check_independent q C (map (core p) (supported alpha (matrix p rows))).

Lemma in_units_length : forall units w, (length (in_units units w) <= length units)%nat.
Proof. induction units as [|u units IH]; destruct w; cbn; try lia. specialize (IH w). lia. Qed.

Lemma dot_vanishes : forall units w x, forallb (fun u => Z.ltb 0 (Qnum u)) units = true ->
  zero (in_units units w) -> (length x <= length units)%nat -> dot w x == 0.
Proof.
  induction units as [|u units IH]; intros w x P Z0 L; destruct x as [|y x]; destruct w as [|a w];
    cbn [length dot] in *; try reflexivity; try lia.
  cbn [forallb] in P. apply andb_prop in P as [Pu P]. cbn [in_units] in Z0.
  rewrite (IH w x P (fun t Ht => Z0 t (or_intror Ht))) by lia.
  assert (a == 0) as ->; [|ring]. pose proof (Z0 (u * a) (or_introl eq_refl)) as E.
  apply Qmult_integral in E as [E|E]; [|exact E]. apply Z.ltb_lt in Pu. unfold Qeq in E. cbn in E. lia.
Qed.

Theorem overlapping_by : forall p units rows alpha q C, check_overlapping p units rows alpha q C = true ->
  forall others, (forall e, In e others -> length (snd e) = length units) ->
  overlapping p (points units rows ++ others).
Proof.
  intros p units rows alpha q C H others same. unfold check_overlapping in H.
  apply andb_prop in H as [H ind]. apply andb_prop in H as [H L]. apply andb_prop in H as [none pos].
  apply Nat.eqb_eq in L. split.
  { intros E. apply app_eq_nil in E as [E _]. apply map_eq_nil in E. subst rows.
    unfold check_not_separable, check_alpha in none. destruct alpha; discriminate none || idtac.
    rewrite andb_false_r in none. discriminate. }
  intros w b ok W.
  assert (weak : forall a, In a (matrix p rows) -> 0 <= zdot a (hat units w b)).
  { apply scores_of_rows; [exact ok | apply proper_le|]. intros e He. apply W, in_or_app. left. exact He. }
  pose proof (supported_on_plane alpha _ (hat units w b) none weak) as plane.
  assert (Z0 : b == 0 /\ zero (in_units units w)).
  { pose proof (in_units_length units w) as short. destruct p; cbn [core allowed] in *.
    - assert (Z0 : zero (hat units w b)).
      { apply (independent q C _ _ ind); [cbn [hat length]; lia|]. rewrite map_id. exact plane. }
      split; [apply Z0; left; reflexivity | intros x Hx; apply Z0; right; exact Hx].
    - split; [exact ok|]. apply (independent q C _ _ ind); [lia|]. intros a Ha.
      apply in_map_iff in Ha as [a' [<- Ha]]. pose proof (plane a' Ha) as E.
      assert (In a' (matrix planes_through_0 rows)) as Hm.
      { apply in_map_iff in Ha as [[c t] [<- Ha]]. apply filter_In in Ha as [Ha _].
        exact (in_combine_r _ _ _ _ Ha). }
      apply in_map_iff in Hm as [r [<- _]]. cbn [core signed_row lead hat zdot tl] in *.
      rewrite <- E. unfold inject_Z at 1. cbn [tl]. ring. }
  destruct Z0 as [Zb Zw]. intros e He. unfold signed_score.
  rewrite (dot_vanishes units w (snd e) pos Zw), Zb; [ring|].
  apply in_app_or in He as [He|He]; [|rewrite (same e He); reflexivity].
  apply in_map_iff in He as [r [<- _]]. cbn [point snd]. clear. generalize (snd r).
  induction units as [|u units IH]; destruct l; cbn; try lia. specialize (IH l). lia.
Qed.

(* Where columns depend on others, all rows are looked at: with some of the columns picked, [relation] gives
   the row back from these, times [den]; and on these columns the rows with alpha > 0 are independent. *)

Fixpoint pick (mask : list bool) (a : list Z) : list Z :=
  match mask, a with
  | true :: mask', x :: a' => x :: pick mask' a'
  | false :: mask', _ :: a' => pick mask' a'
  | _, _ => []
  end.

Definition check_overlapping_all p rows alpha q C mask den (relation : list (list Z)) : bool :=
  let A := matrix p rows in
  check_alpha alpha A && Z.ltb 0 den && Nat.eqb (length relation) (length C)
  && forallb (fun a => is_zero (add (scale (- den) a) (combination (pick mask a) relation))) A
  && check_independent q C (map (pick mask) (supported alpha A)).

Theorem overlapping_all_by : forall p units rows alpha q C mask den relation,
  check_overlapping_all p rows alpha q C mask den relation = true -> overlapping p (points units rows).
Proof.
  intros p units rows alpha q C mask den relation H. unfold check_overlapping_all in H. cbv zeta in H.
  apply andb_prop in H as [H ind]. apply andb_prop in H as [H rel]. apply andb_prop in H as [H L].
  apply andb_prop in H as [none pos]. apply Nat.eqb_eq in L. apply Z.ltb_lt in pos. split.
  { intros E. apply map_eq_nil in E. subst rows. destruct alpha; discriminate none || idtac.
    unfold check_alpha in none. cbn [matrix map List.combine existsb] in none.
    rewrite andb_false_r in none. discriminate. }
  intros w b ok W. set (v := hat units w b). set (v' := map (fun R => zdot R v) relation).
  assert (weak : forall a, In a (matrix p rows) -> 0 <= zdot a v)
    by (apply scores_of_rows; [exact ok | apply proper_le | exact W]).
  assert (back : forall a, In a (matrix p rows) -> zdot (pick mask a) v' == inject_Z den * zdot a v).
  { intros a Ha. rewrite forallb_forall in rel. specialize (rel a Ha). apply (zdot_zero _ v) in rel.
    rewrite zdot_add, zdot_scale, combination_scores in rel. unfold v'. rewrite inject_Z_opp in rel. lra. }
  assert (Z0 : zero v').
  { apply (independent q C _ _ ind); [unfold v'; rewrite map_length; lia|]. intros a Ha.
    apply in_map_iff in Ha as [a' [<- Ha]].
    rewrite back, (supported_on_plane alpha _ v none weak a' Ha); [ring|].
    apply in_map_iff in Ha as [[c t] [<- Ha]]. apply filter_In in Ha as [Ha _].
    exact (in_combine_r _ _ _ _ Ha). }
  apply (scores_of_rows p units w b rows (fun s => s == 0) ok proper_eq).
  intros a Ha. pose proof (back a Ha) as E. rewrite (zdot_vanishes _ _ Z0) in E. symmetry in E.
  apply Qmult_integral in E as [E|E]; [|exact E]. apply Q_positive in pos. rewrite E in pos. discriminate.
Qed.

(* ** Errors *)

(* Conflicts, each with an alpha of its own, and a share of each.

   No plane has all rows of a conflict right. If the shares of the conflicts that a row is in never exceed
   what the row counts, the errors of any plane count at least the sum of all shares. Where that is not
   enough, a tree splits the planes into those that are right on a row and those that are wrong on it. *)

Definition indicator (alpha : list Z) : list Z := map (fun c => if Z.ltb 0 c then 1 else 0)%Z alpha.
Definition wrong_rows (A : list (list Z)) v : list Z :=
  map (fun a => if Qle_bool (zdot a v) 0 then 1 else 0)%Z A.

Lemma a_row_is_wrong : forall alpha A v, check_alpha alpha A = true ->
  exists c a, In (c, a) (List.combine alpha A) /\ (0 < c)%Z /\ Qle_bool (zdot a v) 0 = true.
Proof.
  intros alpha A v H. unfold check_alpha in H. apply andb_prop in H as [H Z0]. apply andb_prop in H as [P E].
  set (f := fun ca : Z * list Z => Z.ltb 0 (fst ca) && Qle_bool (zdot (snd ca) v) 0).
  destruct (existsb f (List.combine alpha A)) eqn:found.
  - apply existsb_exists in found as [[c a] [Hin Hf]]. apply andb_prop in Hf as [Hc Ha]. apply Z.ltb_lt in Hc.
    exists c, a. auto.
  - assert (strict : forall c a, In (c, a) (List.combine alpha A) -> (0 < c)%Z -> 0 < zdot a v).
    { intros c a Hin Hc. destruct (Qlt_le_dec 0 (zdot a v)) as [lt|le]; [exact lt|]. exfalso.
      assert (existsb f (List.combine alpha A) = true); [|congruence]. apply existsb_exists. exists (c, a).
      split; [exact Hin|]. apply andb_true_intro. split; [apply Z.ltb_lt, Hc | apply Qle_bool_iff, le]. }
    apply existsb_exists in E as [[c a] [Hin Hc]]. apply Z.ltb_lt in Hc.
    pose proof (strict c a Hin Hc) as S.
    rewrite (on_the_plane alpha A v P Z0 (fun c a H H' => Qlt_le_weak _ _ (strict c a H H')) c a Hin Hc) in S.
    discriminate.
Qed.

Lemma idot_wrong_non_negative : forall a A v, non_negative a = true -> (0 <= idot a (wrong_rows A v))%Z.
Proof.
  induction a as [|x a IH]; intros A v P; [reflexivity|]. destruct A as [|b A]; [reflexivity|].
  cbn [non_negative forallb] in P. apply andb_prop in P as [Px P]. apply Z.leb_le in Px.
  specialize (IH A v P). cbn [wrong_rows map idot]. unfold wrong_rows in IH.
  destruct (Qle_bool (zdot b v) 0); lia.
Qed.

Lemma indicator_non_negative : forall alpha, non_negative (indicator alpha) = true.
Proof.
  induction alpha as [|c alpha IH]; [reflexivity|]. cbn [indicator map non_negative forallb].
  apply andb_true_intro. split; [destruct (Z.ltb 0 c); reflexivity | exact IH].
Qed.

Lemma conflict_counts : forall alpha A v c a, In (c, a) (List.combine alpha A) -> (0 < c)%Z ->
  Qle_bool (zdot a v) 0 = true -> (1 <= idot (indicator alpha) (wrong_rows A v))%Z.
Proof.
  induction alpha as [|c' alpha IH]; intros A v c a H Hc W; [destruct H|]. destruct A as [|a' A]; [destruct H|].
  cbn [indicator map wrong_rows idot]. destruct H as [H|H].
  - injection H as -> ->. rewrite W. apply Z.ltb_lt in Hc. rewrite Hc.
    pose proof (idot_wrong_non_negative _ A v (indicator_non_negative alpha)) as rest.
    unfold indicator, wrong_rows in rest. lia.
  - specialize (IH A v c a H Hc W). unfold indicator, wrong_rows in IH.
    destruct (Z.ltb 0 c'), (Qle_bool (zdot a' v) 0); lia.
Qed.

Lemma loads_exceed_shares : forall shares (conflicts : list (list Z)) z, non_negative shares = true ->
  (length shares <= length conflicts)%nat -> (forall c, In c conflicts -> (1 <= idot c z)%Z) ->
  (total shares <= idot (combination shares conflicts) z)%Z.
Proof.
  induction shares as [|s shares IH]; intros conflicts z P L H; [reflexivity|].
  destruct conflicts as [|c conflicts]; cbn [length] in L; [lia|].
  cbn [non_negative forallb] in P. apply andb_prop in P as [Ps P]. apply Z.leb_le in Ps.
  specialize (IH conflicts z P ltac:(lia) (fun c Hc => H c (or_intror Hc))).
  specialize (H c (or_introl eq_refl)).
  rewrite idot_combination_cons. cbn [total fold_right]. unfold total in IH. nia.
Qed.

(* What is known of each row on the way to a leaf, and what the rows that are wrong there count. *)
Inductive fate := open | right | wrong_here.
Inductive tree := Leaf (shares : list Z) | Split (equal_rows : list N) (if_right if_wrong : tree).

Fixpoint set_fate (i : nat) (f : fate) (fates : list fate) : list fate :=
  match i, fates with
  | _, [] => []
  | O, _ :: fates' => f :: fates'
  | S i', g :: fates' => g :: set_fate i' f fates'
  end.

Definition set_fates (is : list N) (f : fate) (fates : list fate) : list fate :=
  fold_right (fun i => set_fate (N.to_nat i) f) fates is.

Definition row_at (A : list (list Z)) (i : N) : list Z := nth (N.to_nat i) A [].
Definition are_equal (A : list (list Z)) (is : list N) : bool :=
  forallb (fun i => Nat.ltb (N.to_nat i) (length A)
    && if list_eq_dec Z.eq_dec (row_at A i) (row_at A (hd 0%N is)) then true else false) is.

Fixpoint counted (weights : list Z) (fates : list fate) : Z :=
  match weights, fates with
  | c :: weights', f :: fates' => (match f with wrong_here => c | _ => 0 end + counted weights' fates')%Z
  | _, _ => 0%Z
  end.

(* The shares of the conflicts that hold a row are at most what it counts; 0 if it is wrong on this way. *)
Fixpoint room (load weights : list Z) (fates : list fate) : bool :=
  match weights, fates with
  | c :: weights', f :: fates' =>
      let l := hd 0%Z load in
      match f with open => Z.leb l c | right => true | wrong_here => Z.leb l 0 end
      && room (tl load) weights' fates'
  | _, _ => true
  end.

Fixpoint check_tree A (conflicts : list (list Z)) (weights : list Z) (above : Z) (fates : list fate)
  (t : tree) : bool :=
  match t with
  | Leaf shares =>
      Nat.leb (length shares) (length conflicts) && non_negative shares
      && room (combination shares conflicts) weights fates
      && Z.ltb above (total shares + counted weights fates)
  | Split is if_right if_wrong =>
      are_equal A is
      && check_tree A conflicts weights above (set_fates is right fates) if_right
      && check_tree A conflicts weights above (set_fates is wrong_here fates) if_wrong
  end.

(* What rows count are multiples of g, so that more than least - g is at least least. *)
Definition check_errors p (rows : list row) (weights : list Z) (alphas : list (list Z)) (t : tree)
  (g least : Z) : bool :=
  let A := matrix p rows in
  forallb (fun alpha => check_alpha alpha A) alphas && Nat.eqb (length weights) (length rows)
  && Z.ltb 0 g && forallb (fun c => Z.eqb (c mod g) 0) (least :: weights)
  && check_tree A (map indicator alphas) weights (least - g) (map (fun _ => open) rows) t.

Definition agrees (f : fate) (z : Z) : Prop :=
  match f with open => z = 0 \/ z = 1 | right => z = 0 | wrong_here => z = 1 end%Z.

Lemma room_enough : forall weights fates load z, Forall2 agrees fates z -> length weights = length fates ->
  room load weights fates = true -> (idot load z + counted weights fates <= idot weights z)%Z.
Proof.
  induction weights as [|c weights IH]; intros fates load z H L R; destruct H as [|f x fates z Hf H];
    cbn [length] in L; try discriminate; [destruct load; cbn; lia|].
  cbn [room] in R. apply andb_prop in R as [Rf R]. specialize (IH fates (tl load) z H ltac:(congruence) R).
  assert (E : idot load (x :: z) = (hd 0 load * x + idot (tl load) z)%Z) by (destruct load; reflexivity).
  rewrite E. cbn [counted idot]. destruct f; cbn [agrees] in Hf; try apply Z.leb_le in Rf.
  - destruct Hf as [-> | ->]; lia.
  - subst x. lia.
  - subst x. lia.
Qed.

Lemma set_fate_agrees : forall i f fates z, Forall2 agrees fates z ->
  (forall x, nth_error z i = Some x -> agrees f x) -> Forall2 agrees (set_fate i f fates) z.
Proof.
  induction i as [|i IH]; intros f fates z H Hi; destruct H as [|g x fates z Hg H]; cbn [set_fate]; constructor.
  - apply Hi. reflexivity.
  - exact H.
  - exact Hg.
  - apply IH; [exact H|]. intros x' Hx. apply Hi. exact Hx.
Qed.

Lemma set_fate_length : forall i f fates, length (set_fate i f fates) = length fates.
Proof. induction i; destruct fates; cbn [set_fate length]; try reflexivity. rewrite IHi. reflexivity. Qed.

Lemma set_fates_agree : forall is f fates z, Forall2 agrees fates z ->
  (forall i x, In i is -> nth_error z (N.to_nat i) = Some x -> agrees f x) ->
    Forall2 agrees (set_fates is f fates) z.
Proof.
  induction is as [|i is IH]; intros f fates z H Hi; [exact H|]. cbn [set_fates fold_right].
  apply set_fate_agrees; [|intros x; apply Hi; left; reflexivity].
  apply IH; [exact H|]. intros j x Hj. apply Hi. right. exact Hj.
Qed.

Lemma set_fates_length : forall is f fates, length (set_fates is f fates) = length fates.
Proof. induction is; intros; [reflexivity|]. cbn [set_fates fold_right]. rewrite set_fate_length. apply IHis.
Qed.

(* Equal rows are all right or all wrong. *)
Lemma equal_fates : forall A v is, are_equal A is = true -> exists x, (x = 0 \/ x = 1)%Z /\
  forall i x', In i is -> nth_error (wrong_rows A v) (N.to_nat i) = Some x' -> x' = x.
Proof.
  intros A v is H. set (f := fun a => if Qle_bool (zdot a v) 0 then 1%Z else 0%Z).
  exists (f (row_at A (hd 0%N is))). split; [unfold f; destruct (Qle_bool _ _); auto|].
  intros i x' Hi E. unfold are_equal in H. rewrite forallb_forall in H. specialize (H i Hi).
  apply andb_prop in H as [Hl He]. apply Nat.ltb_lt in Hl.
  destruct (list_eq_dec Z.eq_dec (row_at A i) (row_at A (hd 0%N is))) as [same|]; [|discriminate].
  rewrite <- same.
  change (nth_error (map f A) (N.to_nat i) = Some x') in E.
  rewrite (map_nth_error f _ A (nth_error_nth' A [] Hl)) in E. injection E as <-. reflexivity.
Qed.

Lemma tree_bound : forall A v conflicts weights above, let z := wrong_rows A v in
  (forall c, In c conflicts -> (1 <= idot c z)%Z) ->
  forall t fates, length weights = length fates -> Forall2 agrees fates z ->
  check_tree A conflicts weights above fates t = true -> (above < idot weights z)%Z.
Proof.
  intros A v conflicts weights above z each.
  induction t as [shares|is if_right IHr if_wrong IHw]; intros fates L H C;
    cbn [check_tree] in C.
  - apply andb_prop in C as [C much]. apply andb_prop in C as [C R]. apply andb_prop in C as [few P].
    apply Nat.leb_le in few. apply Z.ltb_lt in much.
    pose proof (loads_exceed_shares shares conflicts z P few each).
    pose proof (room_enough weights fates _ z H L R). lia.
  - apply andb_prop in C as [C Cw]. apply andb_prop in C as [same Cr].
    destruct (equal_fates A v is same) as [x [[-> | ->] all]];
      [apply (IHr (set_fates is right fates)) | apply (IHw (set_fates is wrong_here fates))];
      try (rewrite set_fates_length; exact L); try assumption;
      (apply set_fates_agree; [exact H|]; intros i x' Hi E; exact (all i x' Hi E)).
Qed.

Lemma idot_multiple : forall g weights z, forallb (fun c => Z.eqb (c mod g) 0) weights = true -> (0 < g)%Z ->
  (idot weights z mod g = 0)%Z.
Proof.
  intros g. induction weights as [|c weights IH]; intros z H Hg; [apply Z.mod_0_l; lia|].
  destruct z as [|x z]; [apply Z.mod_0_l; lia|]. cbn [forallb] in H. apply andb_prop in H as [Hc H].
  apply Z.eqb_eq in Hc. specialize (IH z H Hg). cbn [idot].
  apply Z.mod_divide in Hc; [|lia]. apply Z.mod_divide in IH; [|lia]. apply Z.mod_divide; [lia|].
  apply Z.divide_add_r; [apply Z.divide_mul_l|]; assumption.
Qed.

Lemma errors_bound : forall p rows weights alphas t g least,
  check_errors p rows weights alphas t g least = true ->
  forall v, (least <= idot weights (wrong_rows (matrix p rows) v))%Z.
Proof.
  intros p rows weights alphas t g least H v. unfold check_errors in H. cbv zeta in H.
  apply andb_prop in H as [H T]. apply andb_prop in H as [H mult]. apply andb_prop in H as [H Hg].
  apply andb_prop in H as [each L]. apply Nat.eqb_eq in L. apply Z.ltb_lt in Hg. rewrite forallb_forall in each.
  set (z := wrong_rows (matrix p rows) v).
  assert (more : (least - g < idot weights z)%Z).
  { apply (tree_bound (matrix p rows) v (map indicator alphas) weights (least - g)) with (t := t)
      (fates := map (fun _ => open) rows); [| rewrite map_length; exact L | | exact T].
    - intros c Hc. apply in_map_iff in Hc as [alpha [<- Ha]].
      destruct (a_row_is_wrong _ _ v (each alpha Ha)) as [x [a [Hin [Hx W]]]].
      exact (conflict_counts _ _ v x a Hin Hx W).
    - unfold wrong_rows, matrix. rewrite map_map. clear. induction rows as [|r rows IH]; cbn [map]; constructor;
        [|exact IH]. cbn [agrees]. destruct (Qle_bool _ _); auto. }
  cbn [forallb] in mult. apply andb_prop in mult as [Hl mult]. apply Z.eqb_eq in Hl.
  pose proof (idot_multiple g weights z mult Hg) as Hz.
  apply Z.mod_divide in Hl as [a Ha]; [|lia]. apply Z.mod_divide in Hz as [c Hc]; [|lia].
  fold z. rewrite Ha, Hc in *. apply Z.mul_le_mono_nonneg_r; [lia|].
  assert (a - 1 < c)%Z; [|lia]. apply Z.mul_lt_mono_pos_r with g; [exact Hg|]. lia.
Qed.

Lemma wrong_row : forall p units w b r, allowed p b ->
  Qle_bool (zdot (signed_row p r) (hat units w b)) 0 = wrong w b (point units r).
Proof.
  intros. unfold wrong. apply eq_true_iff_eq. rewrite !Qle_bool_iff, signed_row_score by assumption.
  reflexivity.
Qed.

Lemma errors_counted : forall p units w b rows L, allowed p b ->
  idot (map (fun _ => L) rows) (wrong_rows (matrix p rows) (hat units w b))
  = (L * Z.of_nat (errors w b (points units rows)))%Z.
Proof.
  intros p units w b rows L ok. induction rows as [|r rows IH]; [cbn; lia|].
  unfold wrong_rows, matrix, points, errors in *. cbn [map idot filter].
  rewrite IH, (wrong_row p units w b r ok).
  destruct (wrong w b (point units r)); cbn [length]; lia.
Qed.

Theorem at_least_errors_by : forall p units rows alphas t L k,
  check_errors p rows (map (fun _ => Zpos L) rows) alphas t (Zpos L) (Zpos L * Z.of_N k) = true ->
  forall others, at_least_errors p k (points units rows ++ others).
Proof.
  intros p units rows alphas t L k H others w b ok.
  pose proof (errors_bound p rows _ alphas t _ _ H (hat units w b)) as bound.
  rewrite (errors_counted p units w b rows _ ok) in bound.
  unfold errors in *. rewrite filter_app, app_length. nia.
Qed.

(* With weights c/L on the rows. *)
Definition over_L (L : positive) (c : Z) : Q := c # L.

Lemma weight_counted : forall p units w b L rows weights, allowed p b ->
  weight_of_errors (map (over_L L) weights) w b (points units rows)
  == idot weights (wrong_rows (matrix p rows) (hat units w b)) # L.
Proof.
  intros p units w b L rows. unfold wrong_rows, matrix, points.
  induction rows as [|r rows IH]; intros weights ok.
  - destruct weights; reflexivity.
  - destruct weights as [|c weights]; [reflexivity|]. cbn [map weight_of_errors idot].
    rewrite (IH weights ok), (wrong_row p units w b r ok). unfold over_L.
    set (z := idot weights _). clearbody z. destruct (wrong w b (point units r)); unfold Qeq; cbn; lia.
Qed.

Theorem weight_of_errors_by : forall p units rows weights alphas t L g least,
  check_errors p rows weights alphas t g least = true ->
  forall w b, allowed p b -> least # L <= weight_of_errors (map (over_L L) weights) w b (points units rows).
Proof.
  intros p units rows weights alphas t L g least H w b ok.
  rewrite (weight_counted p units w b L rows weights ok).
  pose proof (errors_bound p rows weights alphas t g least H (hat units w b)). unfold Qle. cbn. nia.
Qed.

(* The weights given separate all rows but those that are marked, so these are all of their errors. *)
Fixpoint rest_right p (v : list Z) (rows : list row) (marks : list Z) : bool :=
  match rows with
  | [] => true
  | r :: rows' =>
      (Z.eqb (hd 0%Z marks) 1 || Z.ltb 0 (idot (signed_row p r) v)) && rest_right p v rows' (tl marks)
  end.

Definition check_rest p units rows w b L (marks weights : list Z) (most : Z) : bool :=
  check_allowed p b && is_over L (hat units w b) && non_negative marks && non_negative weights
  && Z.leb (idot weights marks) most && rest_right p (over_all L (hat units w b)) rows marks.

Lemma rest_separated : forall p units w b L, allowed p b -> is_over L (hat units w b) = true ->
  forall rows marks,
  rest_right p (over_all L (hat units w b)) rows marks = true ->
    separates w b (except marks (points units rows)).
Proof.
  intros p units w b L ok whole. induction rows as [|r rows IH]; intros marks H; [intros e []|].
  cbn [rest_right] in H. apply andb_prop in H as [Hr H]. specialize (IH (tl marks) H).
  cbn [points map except]. destruct (Z.eqb (hd 0%Z marks) 1); [exact IH|]. cbn [orb] in Hr.
  apply Z.ltb_lt in Hr.
  intros e [<-|He]; [|exact (IH e He)]. apply (positive_scaled L _ _ Hr).
  rewrite (idot_over _ _ _ whole), (signed_row_score p units w b r ok). reflexivity.
Qed.

Lemma rest_counted : forall p units w b L, is_over L (hat units w b) = true -> forall rows marks weights,
  rest_right p (over_all L (hat units w b)) rows marks = true -> non_negative marks = true ->
    non_negative weights = true ->
  (idot weights (wrong_rows (matrix p rows) (hat units w b)) <= idot weights marks)%Z.
Proof.
  intros p units w b L whole. induction rows as [|r rows IH]; intros marks weights H Pm Pw.
  - cbn [wrong_rows matrix map]. replace (idot weights []) with 0%Z by (destruct weights; reflexivity).
    revert weights Pw. induction marks as [|m marks IHm]; intros weights Pw; [destruct weights; cbn; lia|].
    destruct weights as [|c weights]; [cbn; lia|]. cbn [non_negative forallb] in Pm, Pw.
    apply andb_prop in Pm as [Hm Pm], Pw as [Hc Pw]. apply Z.leb_le in Hm, Hc.
    specialize (IHm eq_refl Pm weights Pw). cbn [idot]. nia.
  - destruct weights as [|c weights]; [cbn; lia|]. cbn [rest_right] in H. apply andb_prop in H as [Hr H].
    cbn [non_negative forallb] in Pw. apply andb_prop in Pw as [Hc Pw]. apply Z.leb_le in Hc.
    assert (Pt : non_negative (tl marks) = true) by (destruct marks; [reflexivity|];
      cbn [non_negative forallb tl] in *;
      apply andb_prop in Pm as [_ Pm]; exact Pm).
    assert (P0 : (0 <= hd 0 marks)%Z) by (destruct marks; [reflexivity|]; cbn [non_negative forallb hd] in *;
      apply andb_prop in Pm as [Pm _]; apply Z.leb_le; exact Pm).
    specialize (IH (tl marks) weights H Pt Pw).
    assert (E : idot (c :: weights) marks = (c * hd 0 marks + idot weights (tl marks))%Z)
      by (destruct marks; cbn [idot hd tl]; [destruct weights; cbn; lia | reflexivity]).
    rewrite E. unfold wrong_rows, matrix in *. cbn [map idot].
    destruct (Qle_bool (zdot (signed_row p r) (hat units w b)) 0) eqn:W; [|nia].
    apply orb_prop in Hr as [Hr|Hr]; [apply Z.eqb_eq in Hr; rewrite Hr; lia|]. exfalso.
    apply Z.ltb_lt in Hr. apply Qle_bool_iff in W.
    apply (Qlt_not_le 0 (zdot (signed_row p r) (hat units w b))); [|exact W].
    apply (positive_scaled L _ _ Hr). apply (idot_over _ _ _ whole).
Qed.

Theorem at_most_errors_by : forall p units rows w b L marks (k : N),
  check_rest p units rows w b L marks (map (fun _ => 1%Z) rows) (Z.of_N k) = true ->
  allowed p b /\ separates w b (except marks (points units rows))
  /\ (N.of_nat (errors w b (points units rows)) <= k)%N.
Proof.
  intros p units rows w b L marks k H. unfold check_rest in H. apply andb_prop in H as [H rest].
  apply andb_prop in H as [H most]. apply andb_prop in H as [H Pw]. apply andb_prop in H as [H Pm].
  apply andb_prop in H as [ok whole]. apply allowed_by in ok. apply Z.leb_le in most.
  split; [exact ok|]. split; [exact (rest_separated p units w b L ok whole rows marks rest)|].
  pose proof (rest_counted p units w b L whole rows marks _ rest Pm Pw) as few.
  rewrite (errors_counted p units w b rows _ ok) in few. lia.
Qed.

Theorem weight_at_most_by : forall p units rows w b L marks weights M most,
  check_rest p units rows w b L marks weights most = true ->
  allowed p b /\ separates w b (except marks (points units rows))
  /\ weight_of_errors (map (over_L M) weights) w b (points units rows) <= most # M.
Proof.
  intros p units rows w b L marks weights M most H. unfold check_rest in H. apply andb_prop in H as [H rest].
  apply andb_prop in H as [H Hmost]. apply andb_prop in H as [H Pw]. apply andb_prop in H as [H Pm].
  apply andb_prop in H as [ok whole]. apply allowed_by in ok. apply Z.leb_le in Hmost.
  split; [exact ok|]. split; [exact (rest_separated p units w b L ok whole rows marks rest)|].
  pose proof (rest_counted p units w b L whole rows marks _ rest Pm Pw) as few.
  rewrite (weight_counted p units w b M rows weights ok). unfold Qle. cbn. nia.
Qed.

(* ** Margin *)

(* From below by the weights given, from above by the distance of two points of the hulls. *)

Lemma dot_plus : forall u v t, dot (plus u v) t == dot u t + dot v t.
Proof.
  induction u as [|x u IH]; destruct v as [|y v]; destruct t as [|z t]; cbn [plus dot]; try ring.
  rewrite IH. ring.
Qed.

Lemma dot_times : forall c u t, dot (times c u) t == c * dot u t.
Proof.
  induction u as [|x u IH]; destruct t as [|z t]; cbn [times map dot]; try ring.
  unfold times in IH. rewrite IH. ring.
Qed.

Lemma square_non_negative : forall q, 0 <= q * q.
Proof. intros q. destruct (Qlt_le_dec q 0); nra. Qed.

Lemma dot_square : forall u, 0 <= dot u u.
Proof.
  induction u as [|x u IH]; cbn [dot]; [discriminate|]. pose proof (square_non_negative x). lra.
Qed.

Lemma square_le : forall x y, 0 <= x -> 0 <= y -> x * x <= y * y -> x <= y.
Proof. intros x y Hx Hy H. destruct (Qlt_le_dec y x) as [lt|le]; [exfalso; nra | exact le]. Qed.

(* (u.v)^2 <= |u|^2 |v|^2 *)
Lemma Cauchy_Schwarz : forall u v, dot u v * dot u v <= dot u u * dot v v.
Proof.
  induction u as [|x u IH]; destruct v as [|y v]; cbn [dot]; [lra | lra | lra|].
  - specialize (IH v). set (s := dot u v) in *. pose proof (dot_square u) as PA.
    pose proof (dot_square v) as PB.
    set (A := dot u u) in *. set (B := dot v v) in *. clearbody s A B.
    assert (cross : 2 * (x * y * s) <= x * x * B + y * y * A).
    { pose proof (square_non_negative x) as X. pose proof (square_non_negative y) as Y.
      assert (XB : 0 <= x * x * B) by (apply Qmult_le_0_compat; assumption).
      assert (YA : 0 <= y * y * A) by (apply Qmult_le_0_compat; assumption).
      destruct (Qlt_le_dec (2 * (x * y * s)) 0) as [neg|pos]; [lra|].
      apply square_le; [exact pos | lra|].
      assert (XY : 0 <= (x * x) * (y * y)) by (apply Qmult_le_0_compat; assumption).
      assert (S : (x * x) * (y * y) * (s * s) <= (x * x) * (y * y) * (A * B)) by
        (rewrite (Qmult_comm _ (s * s)), (Qmult_comm _ (A * B)); apply Qmult_le_compat_r; assumption).
      pose proof (square_non_negative (x * x * B - y * y * A)) as D.
      assert (E : (2 * (x * y * s)) * (2 * (x * y * s)) == 4 * ((x * x) * (y * y) * (s * s))) by ring.
      assert (F : (x * x * B + y * y * A) * (x * x * B + y * y * A) ==
        (x * x * B - y * y * A) * (x * x * B - y * y * A) + 4 * ((x * x) * (y * y) * (A * B))) by ring.
      rewrite E, F. lra. }
    assert (E : (x * y + s) * (x * y + s) == x * x * (y * y) + 2 * (x * y * s) + s * s) by ring.
    assert (F : (x * x + A) * (y * y + B) == x * x * (y * y) + (x * x * B + y * y * A) + A * B) by ring.
    rewrite E, F. lra.
Qed.

(* The same sums with fractions kept in lowest terms, for speed. *)
Fixpoint reduced_dot (u v : list Q) : Q :=
  match u, v with
  | x :: u', y :: v' => Qred (x * y + reduced_dot u' v')
  | _, _ => 0
  end.

Lemma reduced_dot_is : forall u v, reduced_dot u v == dot u v.
Proof.
  induction u as [|x u IH]; destruct v as [|y v]; cbn [reduced_dot dot]; try reflexivity.
  rewrite Qred_correct, IH. reflexivity.
Qed.

(* m/L is at most every signed score. *)
Definition check_least p units rows w b L (m : Z) : bool :=
  Z.ltb 0 m && check_scores p units rows w b L (Z.leb m).

Lemma least_by : forall p units rows w b L m, check_least p units rows w b L m = true ->
  allowed p b /\ 0 < (m # L) /\ forall e, In e (points units rows) -> m # L <= signed_score w b e.
Proof.
  intros p units rows w b L m H. unfold check_least in H. apply andb_prop in H as [Hm H]. apply Z.ltb_lt in Hm.
  apply scores_by in H as [ok each]. split; [exact ok|]. split; [unfold Qlt; cbn; lia|].
  intros e He. apply in_map_iff in He as [r [<- Hr]]. destruct (each r Hr) as [z [Hz E]]. apply Z.leb_le in Hz.
  assert (P : 0 < inject_Z (Zpos L)) by (apply Q_positive; reflexivity).
  apply (Qmult_le_l _ _ _ P). rewrite <- E, Qmake_Qdiv. rewrite Zle_Qle in Hz.
  assert (inject_Z (Zpos L) * (inject_Z m / inject_Z (Zpos L)) == inject_Z m) as -> by (field; lra). exact Hz.
Qed.

Definition check_margin_at_least p units rows w b L m G : bool :=
  check_least p units rows w b L m && Qle_bool (G * reduced_dot w w) ((m # L) * (m # L)).

Theorem margin_at_least_by : forall p units rows w b L m G,
  check_margin_at_least p units rows w b L m G = true ->
  allowed p b /\ separates w b (points units rows) /\ margin_squared_at_least p G (points units rows).
Proof.
  intros p units rows w b L m G H. unfold check_margin_at_least in H. apply andb_prop in H as [H wide].
  apply Qle_bool_iff in wide. rewrite reduced_dot_is in wide. apply least_by in H as [ok [P each]].
  assert (S : separates w b (points units rows)) by (intros e He; specialize (each e He); lra).
  split; [exact ok|]. split; [exact S|]. exists w, b. split; [exact ok|]. intros e He. specialize (each e He).
  split; [exact (S e He)|]. apply (Qle_trans _ _ _ wide). nra.
Qed.

Fixpoint in_true_units (units : list Q) (c : list Z) : list Q :=
  match units, c with
  | u :: units', x :: c' => (inject_Z x * u) :: in_true_units units' c'
  | _, _ => []
  end.

Lemma zdot_in_units : forall units c w, zdot c (in_units units w) == dot (in_true_units units c) w.
Proof.
  induction units as [|u units IH]; intros c w; cbn [in_units in_true_units]; [rewrite zdot_nil; reflexivity|].
  destruct c as [|x c]; destruct w as [|y w]; cbn [zdot dot]; try reflexivity. rewrite IH. ring.
Qed.

Definition check_margin_at_most p units rows alpha G : bool :=
  let A := matrix p rows in
  let c := combination alpha A in
  let hull := in_true_units units (tl c) in
  let s := total alpha in
  Nat.leb (length alpha) (length rows) && non_negative alpha && Z.ltb 0 s && Z.eqb (hd 0%Z c) 0
  && Qle_bool (reduced_dot hull hull) (G * (inject_Z s * inject_Z s)).

Lemma sum_at_least : forall m alpha scores, (length alpha <= length scores)%nat -> non_negative alpha = true ->
  (forall s, In s scores -> m <= s) -> inject_Z (total alpha) * m <= zdot alpha scores.
Proof.
  induction alpha as [|c alpha IH]; intros scores L P S; [cbn; unfold inject_Z; lra|].
  destruct scores as [|s scores]; cbn [length] in L; [lia|]. cbn [non_negative forallb] in P.
  apply andb_prop in P as [Pc P]. apply Z.leb_le, Q_non_negative in Pc.
  specialize (IH scores ltac:(lia) P (fun t Ht => S t (or_intror Ht))). specialize (S s (or_introl eq_refl)).
  cbn [total fold_right zdot]. unfold total in IH. rewrite inject_Z_plus. nra.
Qed.

Theorem margin_at_most_by : forall p units rows alpha G, check_margin_at_most p units rows alpha G = true ->
  margin_squared_at_most p G (points units rows).
Proof.
  intros p units rows alpha G H w b m ok Hm S. unfold check_margin_at_most in H. cbv zeta in H.
  apply andb_prop in H as [H wide]. apply andb_prop in H as [H Z0]. apply andb_prop in H as [H Ps].
  apply andb_prop in H as [L P]. apply Nat.leb_le in L. apply Z.ltb_lt, Q_positive in Ps. apply Z.eqb_eq in Z0.
  apply Qle_bool_iff in wide. rewrite reduced_dot_is in wide. set (c := combination alpha (matrix p rows)) in *.
  assert (sum : inject_Z (total alpha) * m <= dot (in_true_units units (tl c)) w).
  { rewrite <- zdot_in_units. assert (E : zdot (tl c) (in_units units w) == zdot c (hat units w b)).
    { destruct c as [|x c']; [reflexivity|]. cbn [hd tl hat zdot] in *. rewrite Z0. unfold inject_Z at 1.
      ring. }
    rewrite E. unfold c. rewrite combination_scores.
    apply sum_at_least; [unfold matrix; rewrite !map_length; exact L | exact P|].
    intros s Hs. apply in_map_iff in Hs as [a [<- Ha]]. revert a Ha.
    apply (scores_of_rows p units w b rows (fun s => m <= s) ok (proper_le m)). exact S. }
  pose proof (Cauchy_Schwarz (in_true_units units (tl c)) w) as CS. pose proof (dot_square w) as W.
  set (s := inject_Z (total alpha)) in *. set (h := dot (in_true_units units (tl c)) w) in *.
  set (hh := dot (in_true_units units (tl c)) (in_true_units units (tl c))) in *. set (ww := dot w w) in *.
  clearbody s h hh ww. assert (0 <= s * m) by (apply Qmult_le_0_compat; lra).
  assert (square : (s * m) * (s * m) <= h * h) by nra.
  assert (bound : hh * ww <= G * (s * s) * ww) by (apply Qmult_le_compat_r; assumption).
  assert (P2 : 0 < s * s) by (apply Qmult_lt_0_compat; assumption).
  apply (Qmult_le_l _ _ _ P2).
  assert (E : s * s * (m * m) == (s * m) * (s * m)) by ring.
  assert (F : s * s * (G * ww) == G * (s * s) * ww) by ring. rewrite E, F. lra.
Qed.

(* ** Perceptron *)

(* At most R^2/g^2 mistakes, and weights that return. *)

(* A point with its 1 is separated through the origin exactly where the point is separated by a plane. *)
Lemma augmented_score : forall w b e, signed_score (b :: w) 0 (with_one e) == signed_score w b e.
Proof. intros w b [y x]. unfold signed_score, with_one. cbn [fst snd dot]. ring. Qed.

Lemma augmented_separable : forall p D, separable p D -> separable planes_through_0 (augmented p D).
Proof.
  intros [] D [w [b [ok S]]]; [|exists w, b; split; assumption]. exists (b :: w), 0. split; [reflexivity|].
  intros e He. apply in_map_iff in He as [e' [<- He]]. rewrite augmented_score. apply S, He.
Qed.

Lemma update_score : forall eta w e t, dot (plus w (times (eta * inject_Z (sign (fst e))) (snd e))) t
  == dot w t + eta * signed_score t 0 e.
Proof. intros. rewrite dot_plus, dot_times. unfold signed_score. rewrite (dot_comm t). ring. Qed.

(* Each mistake brings the weights eta m closer to any separator with least score m. *)
Lemma progress : forall eta D w w' k t m, 0 < eta -> (forall e, In e D -> m <= signed_score t 0 e) ->
  run eta D w w' k -> dot w t + inject_Z (Z.of_nat k) * (eta * m) <= dot w' t.
Proof.
  intros eta D w w' k t m Heta S H. induction H as [|w' k e H IH He _|w' k e H IH He _].
  - cbn [Z.of_nat]. unfold inject_Z. lra.
  - exact IH.
  - rewrite update_score, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. specialize (S e He).
    assert (eta * m <= eta * signed_score t 0 e) by (apply Qmult_le_l; assumption).
    change (inject_Z 1) with 1. lra.
Qed.

(* Each mistake adds at most (eta R)^2 to the squared length of the weights. *)
Lemma growth : forall eta D w k R2, 0 < eta -> radius_squared_at_most R2 D -> run eta D [] w k ->
  dot w w <= inject_Z (Z.of_nat k) * (eta * eta * R2).
Proof.
  intros eta D w k R2 Heta rad H. induction H as [|w k e H IH He _|w k e H IH He wrong].
  - cbn. unfold inject_Z. lra.
  - exact IH.
  - set (w' := plus w (times (eta * inject_Z (sign (fst e))) (snd e))).
    assert (E : dot w' w' == dot w w + 2 * (eta * signed_score w 0 e) + eta * eta * dot (snd e) (snd e)).
    { unfold w' at 1. rewrite update_score. rewrite (dot_comm w w'). unfold w' at 1. rewrite update_score.
      assert (F : signed_score w' 0 e == signed_score w 0 e + eta * dot (snd e) (snd e)).
      { unfold signed_score at 1. unfold w'. rewrite dot_plus, dot_times. unfold signed_score.
        destruct (fst e); cbn [sign]; unfold inject_Z; ring. }
      rewrite F. ring. }
    rewrite E, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1.
    assert (eta * signed_score w 0 e <= eta * 0) by (apply Qmult_le_l; assumption).
    assert (P : 0 < eta * eta) by (apply Qmult_lt_0_compat; assumption).
    assert (eta * eta * dot (snd e) (snd e) <= eta * eta * R2) by (apply Qmult_le_l;
      [exact P | apply (proj2 rad), He]).
    lra.
Qed.

Lemma least_score : forall t e (D : list example), exists e', In e' (e :: D) /\
  forall e'', In e'' (e :: D) -> signed_score t 0 e' <= signed_score t 0 e''.
Proof.
  intros t e D. revert e. induction D as [|f D IH]; intros e.
  - exists e. split; [left; reflexivity|]. intros e'' [<-|[]]. apply Qle_refl.
  - destruct (IH f) as [e' [He' least]].
    destruct (Qlt_le_dec (signed_score t 0 e) (signed_score t 0 e')) as [lt|le].
    + exists e. split; [left; reflexivity|]. intros e'' [<-|H]; [apply Qle_refl|].
      apply Qlt_le_weak, Qlt_le_trans with (1 := lt), least, H.
    + exists e'. split; [right; exact He'|]. intros e'' [<-|H]; [exact le | apply least, H].
Qed.

Lemma run_from_nothing : forall eta w w' k, run eta [] w w' k -> k = 0%nat.
Proof. intros eta w w' k H. induction H; [reflexivity | contradiction | contradiction]. Qed.

Lemma mistakes_of_reference : forall eta D w k t m R2, 0 < eta -> 0 < m ->
  (forall e, In e D -> m <= signed_score t 0 e) -> radius_squared_at_most R2 D -> run eta D [] w k ->
  inject_Z (Z.of_nat k) * (m * m) <= R2 * dot t t.
Proof.
  intros eta D w k t m R2 Heta Hm S rad H.
  pose proof (progress eta D [] w k t m Heta S H) as near. pose proof (growth eta D w k R2 Heta rad H) as short.
  pose proof (Cauchy_Schwarz w t) as CS. cbn [dot] in near. pose proof (dot_square t) as T.
  assert (K : 0 <= inject_Z (Z.of_nat k)) by (apply Q_non_negative; lia).
  destruct (Nat.eq_dec k 0) as [->|some].
  { cbn [Z.of_nat]. rewrite Qmult_0_l. apply Qmult_le_0_compat; [apply (proj1 rad) | exact T]. }
  assert (P : 0 < inject_Z (Z.of_nat k)) by (apply Q_positive; lia).
  set (K' := inject_Z (Z.of_nat k)) in *. set (wt := dot w t) in *. set (ww := dot w w) in *.
  set (tt' := dot t t) in *. clearbody K' wt ww tt'.
  assert (em : 0 < eta * m) by (apply Qmult_lt_0_compat; assumption).
  assert (low : 0 <= K' * (eta * m)) by (apply Qmult_le_0_compat; lra).
  assert (square : (K' * (eta * m)) * (K' * (eta * m)) <= wt * wt) by nra.
  assert (high : ww * tt' <= K' * (eta * eta * R2) * tt') by (apply Qmult_le_compat_r; assumption).
  assert (F : 0 < K' * (eta * eta)) by (repeat apply Qmult_lt_0_compat; assumption).
  apply (Qmult_le_l _ _ _ F).
  assert (E1 : K' * (eta * eta) * (K' * (m * m)) == (K' * (eta * m)) * (K' * (eta * m))) by ring.
  assert (E2 : K' * (eta * eta) * (R2 * tt') == K' * (eta * eta * R2) * tt') by ring.
  rewrite E1, E2. lra.
Qed.

(* Novikoff's theorem: on data of radius R and margin g, k mistakes have k g^2 <= R^2 (here G and R2 are the
   squares), for every order, every tie rule and every learning rate. With a bias the data are those of
   [augmented every_plane], whose points hold the 1. *)
Theorem Novikoff : forall eta D w k G R2, 0 < eta ->
  margin_squared_at_least planes_through_0 G D -> radius_squared_at_most R2 D ->
  run eta D [] w k -> inject_Z (Z.of_nat k) * G <= R2.
Proof.
  intros eta D w k G R2 Heta [t [b [ok S]]] rad H. cbn [allowed] in ok.
  assert (S0 : forall e, signed_score t b e == signed_score t 0 e)
    by (intros e; unfold signed_score; rewrite ok; reflexivity).
  destruct D as [|e D]; [rewrite (run_from_nothing _ _ _ _ H); cbn [Z.of_nat]; rewrite Qmult_0_l;
    apply (proj1 rad)|].
  destruct (least_score t e D) as [f [Hf least]]. destruct (S f Hf) as [pos wide]. rewrite S0 in pos, wide.
  pose proof (mistakes_of_reference eta (e :: D) w k t _ R2 Heta pos least rad H) as bound.
  assert (T : 0 < dot t t).
  { destruct (Qlt_le_dec 0 (dot t t)) as [lt|le]; [exact lt|]. exfalso. pose proof (dot_square t).
    pose proof (Cauchy_Schwarz t (snd f)) as CS. assert (Z0 : dot t t == 0) by lra. rewrite Z0, Qmult_0_l in CS.
    assert (D0 : dot t (snd f) == 0).
    { pose proof (square_non_negative (dot t (snd f))). assert (N : dot t (snd f) * dot t (snd f) == 0) by lra.
      apply Qmult_integral in N as [N|N]; exact N. }
    unfold signed_score in pos. rewrite D0 in pos. revert pos. destruct (fst f); discriminate. }
  assert (K : 0 <= inject_Z (Z.of_nat k)) by (apply Q_non_negative; lia).
  apply (Qmult_le_l _ _ _ T).
  assert (step : inject_Z (Z.of_nat k) * (G * dot t t) <=
    inject_Z (Z.of_nat k) * (signed_score t 0 f * signed_score t 0 f)).
  { rewrite (Qmult_comm _ (G * dot t t)), (Qmult_comm _ (signed_score t 0 f * _)).
    apply Qmult_le_compat_r; assumption. }
  assert (E1 : dot t t * (inject_Z (Z.of_nat k) * G) == inject_Z (Z.of_nat k) * (G * dot t t)) by ring.
  assert (E2 : dot t t * R2 == R2 * dot t t) by ring. rewrite E1, E2. lra.
Qed.

Definition same (u v : list Q) : Prop := forall j, nth j u 0 == nth j v 0.

Lemma dot_same : forall t u v, same u v -> dot u t == dot v t.
Proof.
  induction t as [|x t IH]; intros u v H; [destruct u, v; reflexivity|].
  assert (rest : same (tl u) (tl v)) by (intros j; specialize (H (S j)); destruct u, v; destruct j; exact H).
  specialize (IH _ _ rest). specialize (H 0%nat).
  destruct u as [|a u]; destruct v as [|b v]; cbn [dot tl nth] in *; [reflexivity | | |].
  - rewrite <- H, <- IH. ring.
  - rewrite H, IH. ring.
  - rewrite H, IH. reflexivity.
Qed.

(* The cycle: a perceptron whose weights return after a mistake proves that no separator exists. *)
Theorem cycle : forall eta p D w w' k, 0 < eta -> run eta (augmented p D) w w' k -> (0 < k)%nat -> same w w' ->
  ~ separable p D.
Proof.
  intros eta p D w w' k Heta H some back S. apply augmented_separable in S as [t [b [ok S]]].
  cbn [allowed] in ok.
  assert (S0 : forall e, In e (augmented p D) -> 0 < signed_score t 0 e).
  { intros e He. specialize (S e He). unfold signed_score in *. rewrite ok in S. exact S. }
  destruct (augmented p D) as [|e D'] eqn:A; [rewrite (run_from_nothing _ _ _ _ H) in some; lia|].
  destruct (least_score t e D') as [f [Hf least]]. specialize (S0 f Hf).
  pose proof (progress eta (e :: D') w w' k t _ Heta least H) as near. rewrite (dot_same t w w' back) in near.
  assert (K : 0 < inject_Z (Z.of_nat k)) by (apply Q_positive; lia).
  assert (0 < eta * signed_score t 0 f) by (apply Qmult_lt_0_compat; assumption).
  assert (0 < inject_Z (Z.of_nat k) * (eta * signed_score t 0 f)) by (apply Qmult_lt_0_compat; assumption).
  lra.
Qed.

(* The same run as a program: the examples one after another, a list as long as anybody likes, and a rule
   that says for each label whether a score of exactly 0 is a mistake. *)
Definition is_mistake (tie : label -> bool) w (e : example) : bool :=
  match Qcompare (signed_score w 0 e) 0 with Lt => true | Eq => tie (fst e) | Gt => false end.

Fixpoint perceptron tie eta w (presented : list example) : list Q * nat :=
  match presented with
  | [] => (w, 0%nat)
  | e :: rest =>
      if is_mistake tie w e
      then let (w', k) := perceptron tie eta (plus w (times (eta * inject_Z (sign (fst e))) (snd e))) rest in
        (w', S k)
      else perceptron tie eta w rest
  end.

Lemma run_on : forall eta D w w1 k1 w2 k2, run eta D w w1 k1 -> run eta D w1 w2 k2 -> run eta D w w2 (k2 + k1).
Proof.
  intros eta D w w1 k1 w2 k2 H1 H2. induction H2 as [|w2 k2 e H2 IH He right|w2 k2 e H2 IH He wrong].
  - exact H1.
  - exact (no_mistake eta D w w2 _ e IH He right).
  - exact (mistake eta D w w2 _ e IH He wrong).
Qed.

Lemma perceptron_runs : forall tie eta D presented w, (forall e, In e presented -> In e D) ->
  run eta D w (fst (perceptron tie eta w presented)) (snd (perceptron tie eta w presented)).
Proof.
  intros tie eta D. induction presented as [|e rest IH]; intros w H; [apply start|].
  specialize (fun w => IH w (fun e He => H e (or_intror He))). specialize (H e (or_introl eq_refl)).
  cbn [perceptron]. pose proof (Qcompare_spec (signed_score w 0 e) 0) as sides.
  destruct (is_mistake tie w e) eqn:M.
  - set (w1 := plus w _). specialize (IH w1). destruct (perceptron tie eta w1 rest) as [w' k].
    cbn [fst snd] in *.
    rewrite <- (Nat.add_1_r k). apply (run_on eta D w w1 1 w' k); [|exact IH].
    apply (mistake eta D w w 0 e); [apply start | exact H|].
    unfold is_mistake in M. destruct sides; [lra | lra | discriminate].
  - apply (run_on eta D w w 0 _ _) in IH; [rewrite Nat.add_0_r in IH; exact IH|].
    apply (no_mistake eta D w w 0 e); [apply start | exact H|].
    unfold is_mistake in M. destruct sides; [lra | discriminate | lra].
Qed.

Corollary perceptron_makes_few_mistakes : forall tie eta D presented G R2, 0 < eta ->
  margin_squared_at_least planes_through_0 G D -> radius_squared_at_most R2 D ->
  (forall e, In e presented -> In e D) ->
  inject_Z (Z.of_nat (snd (perceptron tie eta [] presented))) * G <= R2.
Proof. intros. eapply Novikoff; try eassumption. apply perceptron_runs. assumption. Qed.

(* How many mistakes a run on the rows of a file can make, from the weights given: with v the weights and the
   bias, m/L their least score and R2/U the longest squared row, at most (R2/U) |v|^2 / (m/L)^2. *)
Definition whole_weights (p : planes) (w : list Q) (b : Q) : list Q :=
  match p with every_plane => b :: w | planes_through_0 => w end.

Definition squared_length (p : planes) (U : positive) (squares a : list Z) : Z :=
  (lead p (Zpos U) + idot (map (fun z => z * z) (tl a)) squares)%Z.

(* Each row is made integers once, for its score and for its length. *)
Definition check_mistakes p units (rows : list row) w b L m (U : positive) (R2 : Z) (k : N) : bool :=
  let squares := map (fun u => u * u) units in
  let v := over_all L (hat units w b) in
  let s := over_all U squares in
  let v' := whole_weights p w b in
  Z.ltb 0 m && check_allowed p b && is_over L (hat units w b) && is_over U squares && Z.leb 0 R2
  && forallb (fun r => let a := signed_row p r in Z.leb m (idot a v) && Z.leb (squared_length p U s a) R2) rows
  && negb (Qle_bool (inject_Z (Z.of_N k + 1) * ((m # L) * (m # L))) ((R2 # U) * reduced_dot v' v')).

Lemma squares_scaled : forall y units x,
  zdot (map (fun z => z * z)%Z (map (fun z => sign y * Z.of_num_int z)%Z x)) (map (fun u => u * u) units)
  == dot (scaled units x) (scaled units x).
Proof.
  intros y. induction units as [|u units IH]; intros x; [destruct x; reflexivity|].
  destruct x as [|z x]; [reflexivity|].
  cbn [map zdot scaled dot]. rewrite IH, !inject_Z_mult. destruct y; cbn [sign]; unfold inject_Z; ring.
Qed.

Lemma squared_length_is : forall p U units r, is_over U (map (fun u => u * u) units) = true ->
  exists e, augmented p [point units r] = [e] /\
  inject_Z (squared_length p U (over_all U (map (fun u => u * u) units)) (signed_row p r))
  == inject_Z (Zpos U) * dot (snd e) (snd e).
Proof.
  intros p U units [y x] H. unfold squared_length, signed_row. cbn [fst snd tl].
  exists (match p with every_plane => with_one (point units (y, x)) | planes_through_0 => point units (y, x)
    end).
  split; [destruct p; reflexivity|].
  rewrite inject_Z_plus, (idot_over _ _ _ H), squares_scaled.
  destruct p; cbn [lead with_one point fst snd dot]; unfold inject_Z; ring.
Qed.

Lemma augmented_in : forall p D e, In e (augmented p D) -> exists f, In f D /\ augmented p [f] = [e].
Proof.
  intros [] D e He; [|exists e; split; [exact He | reflexivity]].
  apply in_map_iff in He as [f [<- Hf]]. exists f. split; [exact Hf | reflexivity].
Qed.

Lemma mistakes_least : forall p units rows w b L m U R2 k, check_mistakes p units rows w b L m U R2 k = true ->
  check_least p units rows w b L m = true.
Proof.
  intros p units rows w b L m U R2 k H. unfold check_mistakes in H. cbv zeta in H.
  apply andb_prop in H as [H _]. apply andb_prop in H as [H each]. do 2 apply andb_prop in H as [H _].
  apply andb_prop in H as [H whole]. apply andb_prop in H as [Hm ok]. unfold check_least, check_scores.
  cbv zeta.
  rewrite Hm, ok, whole. apply forallb_forall. intros r Hr. rewrite forallb_forall in each.
  specialize (each r Hr). apply andb_prop in each as [each _]. exact each.
Qed.

Theorem mistakes_by : forall p units rows w b L m U R2 k, check_mistakes p units rows w b L m U R2 k = true ->
  forall eta w' n, 0 < eta -> run eta (augmented p (points units rows)) [] w' n -> (N.of_nat n <= k)%N.
Proof.
  intros p units rows w b L m U R2 k H eta w' n Heta run_n.
  destruct (least_by _ _ _ _ _ _ _ (mistakes_least _ _ _ _ _ _ _ _ _ _ H)) as [ok [Hm least]].
  unfold check_mistakes in H. cbv zeta in H. apply andb_prop in H as [H few]. apply andb_prop in H as [H short].
  apply andb_prop in H as [H pos]. apply andb_prop in H as [_ whole].
  assert (PU : 0 < inject_Z (Zpos U)) by (apply Q_positive; reflexivity).
  assert (bound : inject_Z (Z.of_nat n) * ((m # L) * (m # L)) <=
    (R2 # U) * dot (whole_weights p w b) (whole_weights p w b)).
  { apply (mistakes_of_reference eta (augmented p (points units rows)) w' n);
    [exact Heta | exact Hm | | | exact run_n].
    - intros e He. apply augmented_in in He as [f [Hf E]]. specialize (least f Hf).
      destruct p; injection E as <-; cbn [whole_weights allowed] in *; [rewrite augmented_score; exact least|].
      unfold signed_score in *. rewrite ok in least. exact least.
    - split; [apply Z.leb_le in pos; unfold Qle; cbn; lia|]. intros e He.
      apply augmented_in in He as [f [Hf E]].
      apply in_map_iff in Hf as [r [<- Hr]]. destruct (squared_length_is p U units r whole) as [e' [E' len]].
      rewrite E in E'. injection E' as <-. rewrite forallb_forall in short. specialize (short r Hr).
      apply andb_prop in short as [_ short]. apply Z.leb_le in short. rewrite Zle_Qle, len in short.
      apply (Qmult_le_l _ _ _ PU).
      rewrite (Qmake_Qdiv R2 U). assert (inject_Z (Zpos U) * (inject_Z R2 / inject_Z (Zpos U)) ==
        inject_Z R2) as ->
        by (field; lra). exact short. }
  apply negb_true_iff in few. rewrite <- not_true_iff_false, Qle_bool_iff, reduced_dot_is in few.
  apply Qnot_le_lt in few.
  assert (lt : inject_Z (Z.of_nat n) * ((m # L) * (m # L)) < inject_Z (Z.of_N k + 1) * ((m # L) * (m # L)))
    by lra.
  apply Qmult_lt_r in lt; [|apply Qmult_lt_0_compat; exact Hm]. rewrite <- Zlt_Qlt in lt. lia.
Qed.
