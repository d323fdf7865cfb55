// make makes an element with properties and children.
export function make(tag, props = {}, ...children) {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
}

// arrived says that the page stands: nothing of it is waited for any more (arrival.js).
export function arrived() {
  document.getElementById('arrival')?.remove();
  sessionStorage.removeItem('arrival');
}
