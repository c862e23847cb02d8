// The guided tour: ten steps that follow the theory. Each one sets the page up and says what to see.
export const STEPS = [
  {
    title: "1. A neuron",
    points: "or", tab: "step", k: "end", look: "board",
    text: [
      "A neuron adds up its inputs, each with a weight: s = w·x + b. It says +1 where s is positive and −1 where it is negative.",
      "The places where s = 0 are a line. Here the inputs are two bits, and the line that was learned computes OR: only (0, 0) lies on its negative side.",
    ],
  },
  {
    title: "2. A mistake",
    points: "toy", tab: "step", k: 1, look: "panel-step",
    text: [
      "The perceptron starts from w = 0 and looks at one example after another. It is mistaken where y·s ≤ 0: the example is on the wrong side, or on the line itself.",
      "The ring marks the example. Its score is worked out in the panel.",
    ],
  },
  {
    title: "3. The update",
    points: "and", tab: "step", k: "end", look: "panel-step",
    text: [
      "On a mistake, and only then, it learns: w ← w + η·y·x and b ← b + η·y. The dashed line was before, the solid one is after.",
      "The compass shows w turning. This is the last mistake of a run; press Play to see it from the start, or step through it with the arrows.",
    ],
  },
  {
    title: "4. The margin",
    points: "margin", tab: "data", k: 0, look: "verdict",
    text: [
      "Are the classes separable at all? The verdict is always on: here the widest empty band between them, and the points that hold it open. Half its width is the geometric margin.",
      "Move the slider above, or drag a point, and watch the band. The verdict is proven each time; its certificate can be downloaded and checked.",
    ],
  },
  {
    title: "5. Two inequalities",
    points: "or", tab: "proof", k: "end", look: "panel-proof",
    text: [
      "Why does it ever stop? Each mistake moves w towards the separator w* by at least γ, the augmented margin, so w*·w_k ≥ kγ. And each mistake makes ‖w‖² longer by at most R², so ‖w_k‖² ≤ kR².",
      "The second chart has both on one sheet. Choose “as lengths” to see them squeeze: kγ ≤ w*·w_k ≤ ‖w_k‖ ≤ √k·R.",
    ],
  },
  {
    title: "6. The bound",
    points: "and", tab: "proof", k: "end", look: "panel-proof",
    text: [
      "A straight line cannot stay below √k for ever: k ≤ R²/γ². This is Novikoff’s theorem, and the first chart has it: the mistakes stay under the bound, whatever the order, whatever the tie rule.",
      "Hover a curve: the plot goes to that mistake. Change the order or η below the plot, and look again.",
    ],
  },
  {
    title: "7. XOR",
    points: "xor", tab: "step", k: 0, look: "verdict",
    text: [
      "Now the two classes are crosswise. No line separates them, and that can be proven as well: the hulls of the classes share a point, the star.",
      "A line with one class on each side would have this point on both. “Why not?” says it in inequalities that add up to 0 > 0.",
    ],
  },
  {
    title: "8. The cycle",
    points: "xor", tab: "step", k: 4, look: "cycle",
    text: [
      "What does the perceptron do on XOR? After four mistakes its weights are what they were at the start. It will go round for ever.",
      "That is a proof by itself: the mistakes of one turn add up to nothing, and these counts are a certificate. Press “Show the cycle”.",
    ],
  },
  {
    title: "9. The lift",
    points: "xor", tab: "beyond", beyond: "space", k: 0, look: "panel-beyond",
    text: [
      "Give each point a third coordinate, the product x1·x2. In three dimensions a plane separates what no line could.",
      "Drag the picture to turn it. Kernels and “lift until separable” do the same with more coordinates, and show it as regions of the plane.",
    ],
  },
  {
    title: "10. The network",
    points: "xor", tab: "beyond", beyond: "network", k: 0, look: "panel-beyond", select: 1,
    text: [
      "Or let neurons make the new coordinates themselves: two hidden units with max(s, 0) and a third neuron on top compute XOR.",
      "Select a point and see which units light up. Then bring your own data: drop a CSV file on this page.",
    ],
  },
];
