// Until a page stands it says that it is coming; what keeps it back is told, and the page
// is asked for again. It brings its own words: nothing else of the page may have come.
// arrived (dom.js) ends it. A page that stands without its style can be read: it says so and
// asks for the style alone.
{
  const [coming, late, failed, part, again, now] = {
    es: ['Cargando…', 'Tarda más de lo normal.', 'No se ha podido cargar la página', 'La página no se ha podido cargar entera: falta su aspecto.', 'Nuevo intento dentro de', 'Intentar ahora'],
    en: ['Loading…', 'It is taking longer than usual.', 'The page could not be loaded', 'The page could not be loaded in full: its layout is missing.', 'Trying again in', 'Try now'],
    ca: ['S’està carregant…', 'Triga més del normal.', 'No s’ha pogut carregar la pàgina', 'La pàgina no s’ha pogut carregar sencera: en falta l’aspecte.', 'Nou intent d’aquí a', 'Prova-ho ara'],
  }[localStorage.getItem('lang') ?? 'es'] ?? [];
  const slow = 15; // seconds after which the wait itself is told
  const most = 30; // seconds between two tries
  const first = 1; // seconds before the first
  const box = () => document.getElementById('arrival'); // there until the page stands

  // tell says a sentence and offers to try at once.
  function tell(text, where = box(), retry = () => location.reload()) {
    const b = Object.assign(document.createElement('button'), { type: 'button', textContent: now });
    b.addEventListener('click', retry);
    where?.replaceChildren(`${text} `, b);
  }

  // bare tells that a style sheet did not come, and asks for it again, later each time.
  let lately = first / 2;
  async function bare(sheet) {
    if (!document.body) await new Promise((ok) => { addEventListener('DOMContentLoaded', ok, { once: true }); });
    lately = Math.min(2 * lately, most);
    const says = document.getElementById('unstyled') ?? Object.assign(document.createElement('p'), { id: 'unstyled', role: 'alert' });
    const retry = () => { clearTimeout(later); sheet.replaceWith(sheet.cloneNode()); };
    const later = setTimeout(retry, 1000 * lately);
    tell(`${part} ${again} ${lately} s.`, says, retry);
    document.body.prepend(says);
  }

  let over = false; // the first thing that fails is told
  function fail(why, hopeless) {
    if (over || !box()) return;
    over = true;
    const sentence = [failed, why].filter(Boolean).join(': ');
    if (hopeless) { tell(`${sentence}.`); return; }
    const wait = Math.min(2 * Number(sessionStorage.getItem('arrival') ?? first / 2), most);
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
    else if (target.matches('link[rel=stylesheet]')) bare(target);
  }, true);
  document.addEventListener('load', ({ target }) => { // it does not come to the window
    if (target instanceof Element && target.matches('link[rel=stylesheet]')) document.getElementById('unstyled')?.remove();
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => ended(reason ?? {}));
  addEventListener('readystatechange', () => { if (!over && box() && !box().querySelector('button')) box().textContent = coming; }, { capture: true, once: true });
  setTimeout(() => { if (!over) tell(`${coming} ${late}`); }, 1000 * slow);
}
