// What programs say of troubles, in Spanish. The words of the system itself stay
// English; what is not known here is shown as it came.
import { language } from './words.js';

const known = [
  [/no picture since ([\d:]+)/, 'sin imagen desde las $1'],
  [/it has no calibration; make one at (\S+) or with `vision calibrate`/, 'no está calibrada: hágalo en $1'],
  [/connection refused/, 'la dirección no contesta (conexión rechazada): ¿está encendida?'],
  [/i\/o timeout|deadline exceeded|timed out/, 'no contesta a tiempo: compruebe la red'],
  [/no route to host|network is unreachable/, 'no hay camino por la red'],
  [/no such host/, 'ese nombre no existe en la red'],
  [/401|unauthorized|authentication/i, 'usuario o contraseña de la cámara incorrectos'],
  [/404|not found/i, 'la cámara no conoce esa dirección'],
  [/no space left|no room/, 'no queda sitio en el disco'],
  [/read-only file system/, 'el disco está en solo lectura'],
  [/input\/output error/, 'el disco falla'],
  [/B-frames/, 'envía fotogramas B: quítelos en la cámara (perfil Baseline)'],
  [/it was moved before the restart/, 'se movió antes del reinicio y nadie la ha confirmado'],
  [/moved/, 'la imagen ya no coincide con la calibración'],
  [/its clock is off by (\S+)/, 'su reloj va $1 desviado'],
  [/facts behind; a call was lost/, 'la mesa va miles de hechos por detrás; se perdió una llamada'],
  [/facts behind/, 'la mesa va miles de hechos por detrás; sus jugadas no se verifican'],
  [/hang|silent/, 'el lector dejó de contestar'],
  [/memory/, 'el lector ocupaba demasiada memoria'],
  [/exit status|signal:/, 'el lector terminó de golpe'],
  [/already acknowledged by (\S+)/, 'ya la atendió $1'],
  [/under another jefe de mesa/, 'la tiene otro jefe de mesa'],
  [/too many attempts; wait (\S+)/, 'demasiados intentos; espere $1'],
  [/too many new connections; wait (\S+)/, 'demasiadas conexiones nuevas; espere $1'],
  [/the role \S+ takes tables for itself only/, 'solo puede tomar mesas para sí'],
  [/the role \S+ may not do this/, 'su función no lo permite'],
  [/there is an account of that name already/, 'ya hay una cuenta con ese nombre'],
  [/no other administrator would be left/, 'no quedaría ningún administrador'],
  [/stands in vision\.yaml and is changed there/, 'la cuenta está en vision.yaml y se cambia allí'],
  [/the code is wrong, or was used already/, 'código incorrecto o ya usado'],
  [/the password is wrong/, 'la contraseña no es correcta'],
  [/the identity provider keeps this password/, 'esa contraseña la guarda el proveedor de identidad'],
  [/text of \d+ bytes: want 1 to (\d+)/, 'escriba algo, de $1 letras como mucho'],
  [/title: want 1 to 200 characters/, 'ponga un título de 200 letras como mucho'],
  [/tables: name at least one/, 'elija al menos una mesa'],
  [/from and to: want two RFC 3339 times in order, at most (\S+) apart/, 'desde y hasta: en orden y con $1 de diferencia como mucho'],
  [/no (table|camera|alert|case|session) "?([^"\s]*)"? of yours/, 'no es suya o ya no existe: $2'],
  [/Failed to fetch|NetworkError|Load failed/, 'no hay conexión con el servidor'],
];

// spanish is what a text says in Spanish, null where that is not known.
export function spanish(text) {
  for (const [re, words] of known) {
    const m = re.exec(text ?? '');
    if (m) return words.replace(/\$(\d)/g, (_, n) => m[n] ?? '');
  }
  return null;
}

// said is a text in the page's language, as far as it is known.
export const said = (text) => (language() === 'es' && spanish(text)) || text;
