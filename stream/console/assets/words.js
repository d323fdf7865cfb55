// The words of the pages, Spanish first. Sentences of alerts come from the server
// in both languages.
const words = {
  es: {
    hand: 'mano', card_down: 'carta tapada', do_bet: 'apuesta', do_withdraw: 'retira', do_collect: 'se cobra', do_pay: 'se paga', do_return: 'se devuelve', do_commission: 'deducción', do_ball: 'bola', do_dice: 'dados',
    do_shuffle: 'baraja', do_cut: 'corte', do_cut_card: 'carta de corte', do_burn: 'quema', do_arrange: 'coloca la mano', do_move: 'mueve', do_incident: 'incidencia', do_clear: 'mesa recogida',
    phase_idle: 'en espera', phase_betting: 'apuestas', phase_closed: 'no va más', phase_dealing: 'reparto', phase_deciding: 'decisiones', phase_resolution: 'resultado', phase_settling: 'cobros y pagos', phase_cleared: 'mesa recogida',
    audit: 'Auditoría', when: 'Cuándo', more: 'Más', no_entries: 'Nada con estos filtros.', kind_operator: 'Personas', kind_alert: 'Alerta', kind_supervision: 'Supervisión', kind_case: 'Caso', kind_seal: 'Sello', kind_retention: 'Grabación borrada', kind_health: 'Estado', kind_repair: 'Reparación del registro',
    act_login: 'entra', act_logout: 'sale', act_login_failed: 'entrada fallida', act_login_limited: 'entrada frenada', act_code_failed: 'código incorrecto', act_password: 'cambia su contraseña', act_password_failed: 'contraseña actual incorrecta', act_factor: 'configura el segundo factor', act_factor_removed: 'quita el segundo factor', act_recovery_code: 'usa un código de recuperación', act_recovery_renewed: 'renueva los códigos de recuperación', act_session_ended: 'cierra una sesión', act_sessions_ended: 'cierra sesiones', act_token: 'pide una clave de API', act_note: 'anota', act_reviewed: 'ha mirado', act_export: 'exporta', act_calibrate: 'calibra', act_confirm_camera: 'confirma la cámara', act_login_refused: 'entrada rechazada', act_user_added: 'añade un usuario', act_user_changed: 'cambia un usuario', act_user_removed: 'quita un usuario', act_user_reset: 'pone contraseña nueva o quita el factor', act_unreviewed: 'quita «vista»',
    no_alerts: 'Sin alertas.', no_tables: 'Ninguna mesa: pida a dirección que le asigne las suyas.', no_round: 'Aún no se ha visto ninguna jugada.', no_queue: 'Ninguna alerta con estos filtros.', no_recording: 'No hay grabación de este momento.', pick: 'Elija una alerta de la cola (j, k).', no_notes: 'Sin notas.', no_round_here: 'Esta alerta no es de una jugada, o aún se está jugando.', no_cases: 'Ningún caso.', no_versions: 'Ninguna: la mesa no se lee todavía.', no_cameras: 'Ninguna cámara.', no_storage: 'Nada grabado todavía.', no_calls: 'Este juego no tiene llamadas.', nothing_recorded: 'nada grabado',
    still_on: 'sigue', cases: 'Casos', camera: 'Cámara', cameras: 'Cámaras', fps: 'imágenes/s', read: 'Leídas', dropped: 'Saltadas', watch: 'Lectura ms', detail: 'Detalle', times: 'veces', time: 'Tiempo', frame_back: 'Fotograma anterior', frame_next: 'Fotograma siguiente', playpause: 'Reproducir o parar', slower: 'Más lento', faster: 'Más rápido', wider: 'Más tiempo', closer: 'Menos tiempo', zone: 'Zona', camera_picture: 'Imagen de la cámara con las zonas', wall: 'Mesas', jefe: 'Jefe de mesa', retained: 'Se guarda desde', staff_hint: 'función y número, como «croupier 2, stickman 1»',
    wall_keys: '1–4 una mesa · Esc todas · f congelar · r última jugada · a alertas · m sonido',
    alerts: 'Alertas', health: 'Estado', logout: 'Salir', mute: 'Silenciar', close: 'Cerrar', other: 'English',
    play: 'Ver', corrected: 'Corregido', false_alarm: 'Falsa alarma', escalated: 'Elevar', noted: 'Anotado',
    blind: 'Sin imagen', connecting: 'Conectando…', unverified: 'no verificable', round: 'Jugada', fine: 'Todo en orden',
    problem: 'problema', problems: 'problemas', byWhom: 'por', critical: 'CRÍTICA', major: 'GRAVE', minor: 'LEVE', perhour: 'jugadas/h', age: 'imagen hace',
    advice: 'Qué hacer', since: 'desde', none: 'Sin problemas.', sent: 'Enviado', waiting: 'Sin conexión: se enviará', seat: 'Puesto',
    bet: 'apuesta', pay: 'paga', collect: 'cobra', last: 'última', noted_alert: 'nota', token: 'Este terminal necesita su clave: abra la página con #clave al final.',
    supervision: 'Supervisión', verdict: 'Qué dice la norma', tables: 'Mesas', table: 'Mesa', game: 'Juego', recording: 'Grabación', open: 'Abierta', staff: 'Personal',
    allowed: 'La norma permite lo que hay ahora.', forbidden: 'La norma no lo permite', take: 'Tomar', release: 'Dejar', unsaid: 'sin declarar', nobody: 'sin jefe',
    rec_ok: '● graba', rec_degraded: '◐ graba a medias', rec_down: '✗ no graba', rec_none: '✗ sin grabación',
    lens: 'Objetivo', print_board: 'Imprimir el tablero (A4)', square: 'Lado de una casilla', measure_lens: 'Medir el objetivo', wave: 'Mueva el tablero despacio: cerca y lejos, inclinado, hasta las esquinas de la imagen', views: 'vistas', lens_done: 'Objetivo medido: marque de nuevo las esquinas del tapete',
    calibrate: 'Calibración', still: 'Imagen fija', take_still: 'Tomar imagen', confirm_camera: 'La cámara está en su sitio', points: 'Esquinas del tapete', seats: 'Puestos', width: 'Ancho del tapete', card: 'Cartas',
    click: 'Pulse en la imagen', optional: 'si quiere, mide el error', again: 'Otra vez', residual: 'Error', exact: 'Cuatro puntos: pulse alguno más para medir el error', zones: 'Zonas', drag: 'Elija una zona; arrástrela, o arrastre sus esquinas; flechas: 1 mm.',
    chips: 'Fichas', learn: 'Pulse en la ficha para tomar su color', save: 'Guardar', save_calibration: 'Guardar y usar', saved: 'Guardada: vale desde ahora', restore: 'Recuperar', restored: 'Recuperada; no vale hasta guardarla', in_force: 'en uso', confirmed: 'Confirmado',
    far_left: 'esquina lejana izquierda', far_right: 'esquina lejana derecha', near_right: 'esquina cercana derecha', near_left: 'esquina cercana izquierda', far_middle: 'medio del borde lejano', near_middle: 'medio del borde cercano', left_middle: 'medio del borde izquierdo', right_middle: 'medio del borde derecho',
    case: 'Caso', make_case: 'Sellar y hacer el caso', sealed: 'Sellado', title: 'Título', storage: 'Grabaciones', days: 'días', perday: 'por día',
    review: 'Revisión', queue: 'Cola', severity: 'Gravedad', code: 'Qué', state: 'Situación', reviewed: 'Vista por mí', person: 'Atendida por', amount: 'Desde €', from: 'Desde', to: 'Hasta',
    state_open: 'abierta', state_escalated: 'elevada', state_resolved: 'ya no se da', state_acknowledged: 'atendida', yes: 'sí', no: 'no', notes: 'Notas', note: 'Nota nueva (Intro guarda)',
    keys: 'j k cola · espacio reproduce · , . fotograma · [ ] velocidad · 1–4 resultado · v vista · n nota · c caso · f filtros · p otra vez · + − tiempo',
    account: 'Cuenta', users: 'Usuarios', user: 'Usuario', role: 'Función', password: 'Contraseña', password_old: 'Contraseña actual', password_new: 'Contraseña nueva', password_again: 'Otra vez la nueva', password_set: 'Cambiar la contraseña',
    password_hint: 'Al menos 8 caracteres, de la clase que quiera; las fáciles de adivinar no valen. Se cierran sus otras sesiones.', password_differs: 'Las dos contraseñas nuevas no son iguales', password_done: 'Contraseña cambiada; las otras sesiones se han cerrado',
    held_password: 'Antes de seguir, elija una contraseña propia.', held_factor: 'Su función necesita un segundo factor: configúrelo antes de seguir.',
    factor: 'Segundo factor', factor_on: 'En uso', factor_off: 'Sin segundo factor', factor_needed: 'Falta; su función lo necesita', factor_set: 'Configurar un autenticador', factor_scan: 'Lea la imagen con su autenticador, o escriba en él la clave, y ponga aquí el código que muestra.', factor_picture: 'Clave para el autenticador, como código QR',
    factor_confirm: 'Confirmar', factor_done: 'Segundo factor en uso', factor_drop: 'Quitar el segundo factor', factor_dropped: 'Quitado', code6: 'Código', recovery: 'Códigos de recuperación', recovery_hint: 'Guárdelos fuera de este equipo: no se muestran otra vez. Cada uno vale una vez, si pierde el autenticador.', recovery_renew: 'Códigos de recuperación nuevos', recovery_left: 'códigos de recuperación',
    sessions: 'Sesiones', seen_last: 'Última vez', from_where: 'Dirección', browser: 'Navegador', end: 'Cerrar', end_others: 'Cerrar todas las demás', ended: 'Cerrada', this_one: 'esta',
    first_password: 'Primera contraseña', first_hint: 'Se muestra solo ahora. Vale una semana y hay que cambiarla al entrar.', user_add: 'Añadir usuario', user_tables: 'Sus mesas (ninguna: todas)', acts: 'Acciones', done: 'Hecho', shut: 'cerrada', shut_do: 'Cerrar', reopen: 'Abrir', initial: 'contraseña por cambiar', missing: 'falta', remove: 'Quitar', sessions_end: 'Cerrar sesiones', password_reset: 'Contraseña nueva', factor_reset: 'Quitar segundo factor',
    role_jefe: 'jefe de mesa', role_surveillance: 'sala de vigilancia', role_director: 'dirección', role_technician: 'técnico', role_inspector: 'inspección', role_admin: 'administración',
  },
  en: {
    hand: 'hand', card_down: 'card face down', do_bet: 'bets', do_withdraw: 'withdraws', do_collect: 'is collected', do_pay: 'is paid', do_return: 'is returned', do_commission: 'commission', do_ball: 'ball', do_dice: 'dice',
    do_shuffle: 'shuffle', do_cut: 'cut', do_cut_card: 'cut card', do_burn: 'burn', do_arrange: 'sets the hand', do_move: 'moves', do_incident: 'incident', do_clear: 'table cleared',
    phase_idle: 'waiting', phase_betting: 'betting', phase_closed: 'bets closed', phase_dealing: 'dealing', phase_deciding: 'decisions', phase_resolution: 'result', phase_settling: 'collecting and paying', phase_cleared: 'cleared',
    audit: 'Audit trail', when: 'When', more: 'More', no_entries: 'Nothing with these filters.', kind_operator: 'People', kind_alert: 'Alert', kind_supervision: 'Supervision', kind_case: 'Case', kind_seal: 'Seal', kind_retention: 'Recording removed', kind_health: 'Health', kind_repair: 'Repair of the ledger',
    act_login: 'logs in', act_logout: 'logs out', act_login_failed: 'log-in failed', act_login_limited: 'log-in held back', act_code_failed: 'wrong code', act_password: 'changes the password', act_password_failed: 'wrong present password', act_factor: 'sets up the second factor', act_factor_removed: 'removes the second factor', act_recovery_code: 'uses a recovery code', act_recovery_renewed: 'renews the recovery codes', act_session_ended: 'ends a session', act_sessions_ended: 'ends sessions', act_token: 'asks for an API token', act_note: 'notes', act_reviewed: 'has looked', act_export: 'exports', act_calibrate: 'calibrates', act_confirm_camera: 'confirms the camera', act_login_refused: 'log-in refused', act_user_added: 'adds a user', act_user_changed: 'changes a user', act_user_removed: 'removes a user', act_user_reset: 'resets password or factor', act_unreviewed: 'takes “seen” back',
    no_alerts: 'No alerts.', no_tables: 'No table: ask the management to assign yours.', no_round: 'No round has been seen yet.', no_queue: 'No alert with these filters.', no_recording: 'There is no recording of this time.', pick: 'Choose an alert in the queue (j, k).', no_notes: 'No notes.', no_round_here: 'This alert is not about a round, or it is still being played.', no_cases: 'No case.', no_versions: 'None: the table is not read yet.', no_cameras: 'No camera.', no_storage: 'Nothing recorded yet.', no_calls: 'This game has no calls.', nothing_recorded: 'nothing recorded',
    still_on: 'holds', cases: 'Cases', camera: 'Camera', cameras: 'Cameras', fps: 'pictures/s', read: 'Read', dropped: 'Skipped', watch: 'Reading ms', detail: 'Detail', times: 'times', time: 'Time', frame_back: 'Previous frame', frame_next: 'Next frame', playpause: 'Play or stop', slower: 'Slower', faster: 'Faster', wider: 'More time', closer: 'Less time', zone: 'Zone', camera_picture: 'The camera\'s picture with the zones', wall: 'Tables', jefe: 'Jefe de mesa', retained: 'Kept since', staff_hint: 'role and number, like “croupier 2, stickman 1”',
    wall_keys: '1–4 one table · Esc all · f freeze · r last round · a alerts · m sound',
    alerts: 'Alerts', health: 'Health', logout: 'Log out', mute: 'Mute', close: 'Close', other: 'Español',
    play: 'Play', corrected: 'Corrected', false_alarm: 'False alarm', escalated: 'Escalate', noted: 'Noted',
    blind: 'No picture', connecting: 'Connecting…', unverified: 'not verifiable', round: 'Round', fine: 'All in order',
    problem: 'problem', problems: 'problems', byWhom: 'by', critical: 'CRITICAL', major: 'MAJOR', minor: 'MINOR', perhour: 'rounds/h', age: 'picture age',
    advice: 'What to do', since: 'since', none: 'No problems.', sent: 'Sent', waiting: 'Offline: will be sent', seat: 'Seat',
    bet: 'bets', pay: 'pays', collect: 'collects', last: 'last', noted_alert: 'note', token: 'This terminal needs its key: open the page with #key at the end.',
    supervision: 'Supervision', verdict: 'What the norm says', tables: 'Tables', table: 'Table', game: 'Game', recording: 'Recording', open: 'Open', staff: 'Staff',
    allowed: 'The norm allows things as they are.', forbidden: 'The norm does not allow it', take: 'Take', release: 'Give up', unsaid: 'not stated', nobody: 'no jefe',
    rec_ok: '● recording', rec_degraded: '◐ partly recording', rec_down: '✗ not recording', rec_none: '✗ no recording',
    lens: 'Lens', print_board: 'Print the board (A4)', square: 'Edge of a square', measure_lens: 'Measure the lens', wave: 'Move the board slowly: near and far, tilted, into the corners of the picture', views: 'views', lens_done: "Lens measured: mark the felt's corners again",
    calibrate: 'Calibration', still: 'Still', take_still: 'Take a still', confirm_camera: 'The camera stands as it should', points: "The felt's corners", seats: 'Seats', width: "Felt's width", card: 'Cards',
    click: 'Click in the picture', optional: 'if you like, it measures the error', again: 'Again', residual: 'Error', exact: 'Four points: click another to measure the error', zones: 'Zones', drag: 'Choose a zone; drag it, or its corners; arrows: 1 mm.',
    chips: 'Chips', learn: 'Click on the chip to take its colour', save: 'Save', save_calibration: 'Save and use', saved: 'Saved: it holds from now on', restore: 'Bring back', restored: 'Brought back; does not hold before it is saved', in_force: 'in force', confirmed: 'Confirmed',
    far_left: 'far left corner', far_right: 'far right corner', near_right: 'near right corner', near_left: 'near left corner', far_middle: 'middle of the far edge', near_middle: 'middle of the near edge', left_middle: 'middle of the left edge', right_middle: 'middle of the right edge',
    case: 'Case', make_case: 'Seal and make the case', sealed: 'Sealed', title: 'Title', storage: 'Recordings', days: 'days', perday: 'per day',
    review: 'Review', queue: 'Queue', severity: 'Severity', code: 'What', state: 'State', reviewed: 'Seen by me', person: 'Taken by', amount: 'From €', from: 'From', to: 'To',
    state_open: 'open', state_escalated: 'escalated', state_resolved: 'no longer so', state_acknowledged: 'acknowledged', yes: 'yes', no: 'no', notes: 'Notes', note: 'New note (Enter keeps it)',
    keys: 'j k queue · space plays · , . frame · [ ] speed · 1–4 outcome · v seen · n note · c case · f filters · p again · + − time',
    account: 'Account', users: 'Users', user: 'User', role: 'Role', password: 'Password', password_old: 'Present password', password_new: 'New password', password_again: 'The new one again', password_set: 'Change the password',
    password_hint: 'At least 8 characters of any kind; what is easily guessed is refused. Your other sessions end.', password_differs: 'The two new passwords differ', password_done: 'Password changed; the other sessions have ended',
    held_password: 'Before you go on, choose a password of your own.', held_factor: 'Your role needs a second factor: set it up before you go on.',
    factor: 'Second factor', factor_on: 'In use', factor_off: 'No second factor', factor_needed: 'Missing; your role needs it', factor_set: 'Set up an authenticator', factor_scan: 'Scan the picture with your authenticator, or type the key into it, and enter here the code it shows.', factor_picture: 'Key for the authenticator, as a QR code',
    factor_confirm: 'Confirm', factor_done: 'The second factor is in use', factor_drop: 'Take the second factor away', factor_dropped: 'Taken away', code6: 'Code', recovery: 'Recovery codes', recovery_hint: 'Keep them away from this device: they are not shown again. Each counts once, if you lose the authenticator.', recovery_renew: 'New recovery codes', recovery_left: 'recovery codes',
    sessions: 'Sessions', seen_last: 'Last seen', from_where: 'Address', browser: 'Browser', end: 'End', end_others: 'End all others', ended: 'Ended', this_one: 'this one',
    first_password: 'First password', first_hint: 'Shown only now. It lasts a week and has to be changed at the first log-in.', user_add: 'Add a user', user_tables: 'Own tables (none: all)', acts: 'Actions', done: 'Done', shut: 'shut', shut_do: 'Shut', reopen: 'Reopen', initial: 'password to be changed', missing: 'missing', remove: 'Remove', sessions_end: 'End sessions', password_reset: 'New password', factor_reset: 'Take second factor away',
    role_jefe: 'jefe de mesa', role_surveillance: 'surveillance room', role_director: 'director', role_technician: 'technician', role_inspector: 'inspector', role_admin: 'administrator',
  },
};

let lang = localStorage.getItem('lang') ?? 'es';

export const language = () => lang;
// locale is how dates and numbers are written: days before months, 24 hours.
export const locale = () => (lang === 'es' ? 'es-ES' : 'en-GB');
export const t = (key) => words[lang][key] ?? key;

export function setLanguage(l) {
  lang = words[l] ? l : 'es';
  localStorage.setItem('lang', lang);
  document.documentElement.lang = lang;
  for (const e of document.querySelectorAll('[data-t]')) e.textContent = t(e.dataset.t);
  for (const e of document.querySelectorAll('[data-label]')) e.setAttribute('aria-label', e.title = t(e.dataset.label));
  const page = document.documentElement.dataset.page;
  if (page) document.title = `vision · ${t(page)}`;
}

// money writes cents as the cloth does.
export const money = (cents) =>
  (cents / 100).toLocaleString(locale(), { style: 'currency', currency: 'EUR' });
