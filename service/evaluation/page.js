const root = document.documentElement;
const button = document.getElementById("language");
function show(language) {
  root.lang = language;
  root.dataset.lang = language;
  button.textContent = language === "zh" ? "English" : "中文";
  button.lang = language === "zh" ? "en" : "zh";
}
button.hidden = false;
button.addEventListener("click", () => show(root.dataset.lang === "zh" ? "en" : "zh"));
show(navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
