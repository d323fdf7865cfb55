const q = new URLSearchParams(location.search);
document.getElementById('next').value = q.get('next') ?? '/';
const words = {
  wrong: 'Usuario o contraseña incorrectos · Wrong user or password',
  wait: 'Demasiados intentos; espere un momento · Too many attempts; wait a moment',
};
if (words[q.get('error')]) {
  const p = document.getElementById('error');
  p.textContent = words[q.get('error')];
  p.hidden = false;
}
