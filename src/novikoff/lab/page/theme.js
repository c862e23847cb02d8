// Dark or light: what the system says, until the reader says otherwise.
const KEY = "novikoff-lab-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing
  }
}

function isDark() {
  return (kept() ?? (system.matches ? "dark" : "light")) === "dark";
}

function show() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  const button = document.getElementById("theme");
  button.setAttribute("aria-pressed", String(isDark()));
}

show();
system.addEventListener("change", show);
document.getElementById("theme").addEventListener("click", () => {
  try {
    localStorage.setItem(KEY, isDark() ? "light" : "dark");
  } catch {
    // it is dark or light for this visit only
  }
  show();
});
