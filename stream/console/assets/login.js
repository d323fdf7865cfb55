// Logging in: the password, then the code of who has a second factor; or the
// house's identity provider, where there is one.
import { arrived } from './dom.js';

const q = new URLSearchParams(location.search);
const next = (q.get('next') ?? '/') + location.hash; // what a browser keeps when it is sent here
for (const e of document.querySelectorAll('[name=next]')) e.value = next;
const words = {
  wrong: 'Usuario o contraseña incorrectos · Wrong user or password',
  wait: 'Demasiados intentos; espere un momento · Too many attempts; wait a moment',
  code: 'Código incorrecto o ya usado · Wrong code, or used already',
  again: 'Ha pasado demasiado tiempo: empiece de nuevo · It took too long: begin again',
  provider: 'El proveedor de identidad no responde · The identity provider does not answer',
  refused: 'El proveedor de identidad no le da entrada · The identity provider does not let you in',
};
if (words[q.get('error')]) {
  const p = document.getElementById('error');
  p.textContent = words[q.get('error')];
  p.hidden = false;
}
if (q.get('step') === 'code') {
  document.getElementById('password').hidden = true;
  document.getElementById('code').hidden = false;
  document.querySelector('[name=code]').focus();
}
const { provider } = await (await fetch('/login/ways')).json();
if (provider) {
  const a = document.querySelector('#provider');
  a.href = `/login/oidc?next=${encodeURIComponent(next)}`;
  a.textContent = `Entrar con ${provider} · Log in with ${provider}`;
  a.hidden = false;
}
arrived();
