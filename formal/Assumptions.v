(* What the theorems of Novikoff.v rest on: the answer must be "Closed under the global context". *)

Require Import Novikoff.

Definition every_theorem :=
  (shape_by,
   separates_by,
   separable_by,
   not_separable_by,
   touching_by,
   overlapping_by,
   overlapping_all_by,
   overlapping_is_neither,
   at_least_errors_by,
   at_most_errors_by,
   weight_of_errors_by,
   weight_at_most_by,
   margin_at_least_by,
   margin_at_most_by,
   Novikoff.Novikoff,
   perceptron_makes_few_mistakes,
   mistakes_by,
   cycle).

Print Assumptions every_theorem.
