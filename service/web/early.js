// Runs before the first paint, so that neither theme nor language flickers.
(() => {
  const root = document.documentElement;
  const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const wanted = stored("language") || (navigator.languages || [navigator.language]).find((tag) => /^(en|zh)/i.test(tag)) || "en";
  root.lang = /^zh/i.test(wanted) ? "zh-CN" : "en";
})();
