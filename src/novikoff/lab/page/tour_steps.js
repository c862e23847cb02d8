// The guided tour: ten steps that follow the theory. Each one sets the page up and says what to see.
// `look` is the thing that it speaks of, which stays in sight beside the card; `card` the panel that
// is open with it. Text in backquotes is typeset.
export const STEPS = [
  {
    title: "1. A neuron",
    points: "or", tab: "step", k: "end", lineOnly: true, look: "plot",
    text: [
      "A neuron adds up its inputs, each with a weight: `s = w·x + b`. It says +1 where s is positive and −1 where it is negative.",
      "The places where s = 0 are a line. Here the inputs are two bits, and the line that was learned computes OR: only (0, 0) is on its negative side.",
    ],
  },
  {
    title: "2. A mistake",
    points: "toy", tab: "step", k: 1, look: "plot", card: "panels",
    text: [
      "The perceptron starts from w = 0 and looks at one example after another. It makes a mistake where `y·s ≤ 0`: the example is on the wrong side, or on the line itself.",
      "The thick ring marks the example.",
    ],
  },
  {
    title: "3. The update",
    points: "and", tab: "step", k: "end", look: "plot", card: "panels",
    text: [
      "On a mistake, and only then, it learns: `w ← w + η·y·x` and `b ← b + η·y`. The dashed line was before, the solid one is after.",
      "This is the last mistake of a run. Press Play to see it from the start.",
    ],
  },
  {
    title: "4. The margin",
    points: "margin", tab: "data", k: 0, show: "verdict", look: "plot",
    text: [
      "A line separates these classes, and novikoff proves it: here is the widest empty band between them, and the points that hold it open. Half its width is the geometric margin.",
      "Drag a point and watch the band.",
    ],
  },
  {
    title: "5. Two inequalities",
    points: "and", tab: "proof", k: "end", look: "chart-lengths", card: "panels",
    text: [
      "Why does it ever stop? Each mistake moves w towards w* by at least γ, so `w*·w_k ≥ kγ`. And each mistake adds at most R² to ‖w‖², so `‖w_k‖² ≤ kR²`.",
      "The chart has both on one sheet, as lengths: `kγ` grows faster than `√k·R`, and they meet at `k = R²/γ²`.",
    ],
  },
  {
    title: "6. The bound",
    points: "and", tab: "proof", k: "end", look: "chart-bound", card: "panels",
    text: [
      "A straight line cannot stay below a square root for ever: `k ≤ R²/γ²`. This is Novikoff’s theorem. The mistakes stay under the bound, in any order and with any tie rule.",
    ],
  },
  {
    title: "7. XOR",
    points: "xor", tab: "step", k: 0, show: "verdict", look: "plot", card: "verdict",
    text: [
      "Now the classes are crosswise. No line separates them, and that can be proven as well: the hulls of the two classes share a point, the star. A line with one class on each side would have it on both.",
    ],
  },
  {
    title: "8. The cycle",
    points: "xor", tab: "step", k: 4, look: "plot", card: "notice",
    text: [
      "What does the perceptron do on XOR? After four mistakes its weights are what they were at the start. It will go round for ever.",
      "That is a proof by itself: the mistakes of one turn add up to nothing.",
    ],
  },
  {
    title: "9. The lift",
    points: "xor", tab: "beyond", beyond: "space", k: 0, look: "space", card: "panels",
    text: [
      "Give each point a third coordinate, the product `x_1·x_2`. In three dimensions a plane separates what no line could. Drag the picture to turn it.",
    ],
  },
  {
    title: "10. The network",
    points: "xor", tab: "beyond", beyond: "network", k: 0, look: "network", card: "panels", select: 1,
    text: [
      "Or let neurons make the new coordinates: two hidden units and a third neuron on top compute XOR. Select a point and see which units light up.",
    ],
  },
];
