// Where a place of the plane is in the plot, and back: the frame of every drawing.
export const FRAME = { left: 64, top: 14, width: 720, height: 540 };

export class Scene {
  constructor(view) {
    this.view = view;
  }

  x(value) {
    const { left, right } = this.view;
    return FRAME.left + ((value - left) / (right - left)) * FRAME.width;
  }

  y(value) {
    const { bottom, top } = this.view;
    return FRAME.top + ((top - value) / (top - bottom)) * FRAME.height;
  }

  at([x, y]) {
    return [this.x(x), this.y(y)];
  }

  // The place under a pixel, to as many digits as the engine says a click is worth.
  place(px, py, digits) {
    const { left, right, bottom, top } = this.view;
    const x = left + ((px - FRAME.left) / FRAME.width) * (right - left);
    const y = top - ((py - FRAME.top) / FRAME.height) * (top - bottom);
    return [Number(x.toFixed(digits)), Number(y.toFixed(digits))];
  }

  path(places, close = false) {
    const corners = places.map((place) => this.at(place).map((c) => c.toFixed(2)).join(" "));
    return `M${corners.join("L")}${close ? "Z" : ""}`;
  }
}

// How many units of a drawing are one pixel of the screen: words and markers keep their size.
export function unitsPerPixel(node) {
  const width = node.getBoundingClientRect().width;
  const { width: whole } = node.viewBox.baseVal;
  return width > 0 ? whole / width : 1;
}

// The size of the page's own text, in pixels.
export const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
