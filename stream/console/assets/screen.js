// How this screen shows the pages, before the first of them is drawn: for a wall or a
// desk, dark or light. It is chosen in the menu and kept by the browser; a screen that
// nobody sits at is opened with ?density=wall&theme=dark.
{
  const choices = { density: ['compact', 'wall'], theme: ['dark', 'light'] };
  const usual = { density: innerWidth >= 1600 ? 'wall' : 'compact', theme: 'dark' };
  const asked = new URLSearchParams(location.search);
  for (const [what, among] of Object.entries(choices)) {
    if (among.includes(asked.get(what))) localStorage.setItem(what, asked.get(what));
    document.documentElement.dataset[what] = localStorage.getItem(what) ?? usual[what];
  }
}
