// Until a page stands it says that it is coming; what keeps it back is told, and the page
// is asked for again. It brings its own words: nothing else of the page may have come.
// arrived (dom.js) ends it.
{
  const [coming, late, failed, again, now] = {
    es: ['Cargando…', 'Tarda más de lo normal.', 'No se ha podido cargar la página', 'Nuevo intento dentro de', 'Intentar ahora'],
    en: ['Loading…', 'It is taking longer than usual.', 'The page could not be loaded', 'Trying again in', 'Try now'],
    ca: ['S’està carregant…', 'Triga més del normal.', 'No s’ha pogut carregar la pàgina', 'Nou intent d’aquí a', 'Prova-ho ara'],
  }[localStorage.getItem('lang') ?? 'es'] ?? [];
  const slow = 15; // seconds after which the wait itself is told
  const most = 30; // seconds between two tries
  const box = () => document.getElementById('arrival'); // there until the page stands

  // tell says a sentence and offers to try at once.
  function tell(text) {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: now });
    b.addEventListener('click', () => location.reload());
    box()?.replaceChildren(`${text} `, b);
  }

  let over = false; // the first thing that fails is told
  function fail(why, hopeless) {
    if (over || !box()) return;
    over = true;
    const sentence = [failed, why].filter(Boolean).join(': ');
    if (hopeless) { tell(`${sentence}.`); return; }
    const wait = Math.min(2 * Number(sessionStorage.getItem('arrival') ?? 0.5), most);
    sessionStorage.setItem('arrival', String(wait));
    tell(`${sentence}. ${again} ${wait} s.`);
    setTimeout(() => { if (box()) location.reload(); }, 1000 * wait);
  }

  // A script that does not come, and whatever ends the page's own: what was refused is not
  // asked for again.
  const ended = (e) => fail(e.message, e.status >= 400 && e.status < 500 && e.status !== 429);
  addEventListener('error', ({ target, error, message }) => {
    if (!(target instanceof Element)) ended(error ?? { message });
    else if (target.matches('script')) fail(''); // a picture may be lacking
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => ended(reason ?? {}));
  addEventListener('readystatechange', () => { if (!over && box() && !box().querySelector('button')) box().textContent = coming; }, { capture: true, once: true });
  setTimeout(() => { if (!over) tell(`${coming} ${late}`); }, 1000 * slow);
}
