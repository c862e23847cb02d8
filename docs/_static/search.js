// A message that somebody pastes holds names and numbers of their own, which no page has. Where no page
// has every word of a search, those are shown that have the most of them, and at least half.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const withEveryWord = Search.performTermsSearch;
  Search.performTermsSearch = (words, without) => {
    const strict = withEveryWord(words, without);
    if (strict.length) return strict;
    const pages = new Map();
    for (const word of words)
      for (const page of withEveryWord(new Set([word]), without)) {
        const known = pages.get(page[0]) ?? { page, count: 0 };
        pages.set(page[0], { page, count: known.count + 1 });
      }
    const counts = [...pages.values()].map(({ count }) => count);
    const least = Math.max(words.size / 2, ...counts);
    return [...pages.values()].filter(({ count }) => count >= least).map(({ page }) => page);
  };
});
