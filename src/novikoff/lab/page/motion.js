// Motion: the places between two lines. Who asked the system for less of it gets none.
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const mayMove = () => !still.matches;

const soft = (share) => share * share * (3 - 2 * share);

// A share of the way from one segment to another: its foot moves, and it turns the shorter way.
export function lineBetween([p0, q0], [p1, q1], share, fromStart = false) {
  const t = soft(share);
  const mix = (a, b) => a + (b - a) * t;
  const angle = ([x0, y0], [x1, y1]) => Math.atan2(y1 - y0, x1 - x0);
  const length = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);
  const a0 = angle(p0, q0);
  let turn = angle(p1, q1) - a0;
  if (turn > Math.PI) turn -= 2 * Math.PI;
  if (turn < -Math.PI) turn += 2 * Math.PI;
  const a = a0 + turn * t;
  const size = mix(length(p0, q0), length(p1, q1));
  const [dx, dy] = [Math.cos(a) * size, Math.sin(a) * size];
  if (fromStart) {
    const start = [mix(p0[0], p1[0]), mix(p0[1], p1[1])];
    return [start, [start[0] + dx, start[1] + dy]];
  }
  const x = mix((p0[0] + q0[0]) / 2, (p1[0] + q1[0]) / 2);
  const y = mix((p0[1] + q0[1]) / 2, (p1[1] + q1[1]) / 2);
  return [[x - dx / 2, y - dy / 2], [x + dx / 2, y + dy / 2]];
}
