package health

import (
	"slices"

	"vision/internal/text"
)

// Severity of a problem.
type Severity string

// The severities. A Critical one means that something the norm or the room
// depends on does not work now.
const (
	Info     Severity = "info"
	Warning  Severity = "warning"
	Critical Severity = "critical"
)

// Kind is one entry of the catalogue.
type Kind struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Words
}

// Words are what something is called and what to do about it, in every language.
type Words struct {
	text.Localized
	AdviceES string `json:"advice_es,omitempty"`
	AdviceEN string `json:"advice_en,omitempty"`
	AdviceCA string `json:"advice_ca,omitempty"`
}

// WordsOf are a title and an advice in every language.
func WordsOf(title, advice text.Text) Words {
	a := advice.Localized()
	return Words{title.Localized(), a.ES, a.EN, a.CA}
}

// Advice is what to do about it.
func (w *Words) Advice() text.Localized {
	return text.Localized{ES: w.AdviceES, EN: w.AdviceEN, CA: w.AdviceCA}
}

// The catalogue's codes.
const (
	CameraBlind      = "camera_blind"
	CameraDown       = "camera_down"
	CameraUnreadable = "camera_unreadable"
	CameraMoved      = "camera_moved"
	CameraFrozen     = "camera_frozen"
	CameraReorders   = "camera_reorders"
	CameraClock      = "camera_clock"
	CameraPoor       = "camera_poor"
	CameraCoarse     = "camera_coarse"
	RackUnread       = "rack_unread"
	DecoderSoftware  = "decoder_software"
	ReaderLost       = "reader_lost"
	ReaderBehind     = "reader_behind"
	MachineSlow      = "machine_slow"
	RecordingFailed  = "recording_failed"
	DiskLow          = "disk_low"
	DiskFull         = "disk_full"
	LedgerFailed     = "ledger_failed"
	LedgerRepaired   = "ledger_repaired"
	IndexFailed      = "index_failed"
	BusDown          = "bus_down"
	BusRefused       = "bus_refused"
	PushFailed       = "push_failed"
	SensorDown       = "sensor_down"
	SensorMalformed  = "sensor_malformed"
	SensorLate       = "sensor_late"
	SensorFloods     = "sensor_floods"
	SensorRefused    = "sensor_refused"
	ClockSkew        = "clock_skew"
	ConfigRefused    = "config_refused"
	CertificateEnds  = "certificate_ends"
	HandlesLow       = "handles_low"
	ProviderDown     = "provider_down"
	NodeName         = "node_name"
	NodeFull         = "node_full"
	TableTaken       = "table_taken"
	TableUnserved    = "table_unserved"
	TableFailed      = "table_failed"
	ReplicaBehind    = "replica_behind"
	ReplicaRefused   = "replica_refused"
	ReplicaLost      = "replica_lost"
	WitnessDown      = "witness_down"
	WitnessRefused   = "witness_refused"
	TimestampDown    = "timestamp_down"
)

// Catalogue lists every kind of problem.
var Catalogue = []Kind{
	kind(CameraBlind, Critical, "Cámara ciega", "Camera blind",
		"Compruebe la cámara, su cable y su alimentación; las jugadas de la mesa no se verifican mientras dure.",
		"Check the camera, its cable and power; the table's rounds are not verified meanwhile."),
	kind(CameraDown, Warning, "Cámara sin conexión", "Camera not connected",
		"Compruebe la dirección, el usuario y la red; se reintenta sola.",
		"Check address, user and network; it is tried again by itself."),
	kind(CameraUnreadable, Critical, "La cámara no se puede leer", "Camera cannot be read",
		"La calibración no corresponde a esta cámara o falta; calibre la mesa de nuevo.",
		"The calibration is missing or was made for another camera; calibrate the table again."),
	kind(CameraMoved, Critical, "La cámara se ha movido", "Camera has moved",
		"Devuélvala a su sitio o calibre de nuevo; hasta entonces las jugadas no se verifican.",
		"Put it back or calibrate again; until then rounds are not verified."),
	kind(CameraFrozen, Critical, "La cámara repite las mismas imágenes", "Camera repeats its pictures",
		"La imagen está congelada o alguien pasa una grabación: reinicie la cámara, y revise el cable y lo que haya en medio. Las jugadas no se verifican mientras dure.",
		"The picture is frozen, or a recording is played: restart the camera, and check its cable and what lies between. Rounds are not verified meanwhile."),
	kind(CameraReorders, Warning, "La cámara envía fotogramas B", "Camera sends B-frames",
		"Para verla en directo se codifica otra vez, con más procesador y retraso: desactive los fotogramas B en la cámara (perfil Baseline).",
		"It is encoded once more for live viewing, with more processor time and delay: switch B-frames off in the camera (Baseline profile)."),
	kind(CameraClock, Warning, "El reloj de la cámara no es fiable", "Camera's clock is not reliable",
		"Se usa la hora de llegada de cada imagen, con décimas de error. Ponga la cámara en hora (NTP), actualice su firmware o reiníciela.",
		"Each picture gets the time of its arrival, some tenths of a second off. Set the camera's clock (NTP), update its firmware or restart it."),
	kind(CameraPoor, Warning, "Llegan pocas imágenes o con pérdidas", "Too few pictures, or with losses",
		"Con menos de 3 imágenes por segundo, o con pérdidas o cortes, muchas jugadas no se verifican: ajuste la cámara y revise alimentación, cable y conmutador; en lugar de `transport: udp`, ponga tcp.",
		"With fewer than 3 pictures a second, or with losses or cuts, many rounds are not verified. Set the camera, and check power, cable and switch; instead of `transport: udp`, set tcp."),
	kind(CameraCoarse, Warning, "La cámara ve la mesa con poco detalle", "Camera sees the table too coarsely",
		"Lo que se indica no se lee, y las jugadas que dependan de ello no se verifican: acerque la cámara o el zoom, ponga una de más resolución, o añada otra. `vision camera plan` dice cuál.",
		"What is named is not read, and rounds that depend on it are not verified: move or zoom the camera closer, use one of higher resolution, or add another. `vision camera plan` says which."),
	kind(RackUnread, Warning, "La bandeja no se puede leer", "The rack cannot be read",
		"Lo cobrado y pagado no se comprueba con la bandeja: corrija lo que dice el detalle, y se quita solo.",
		"What is collected and paid is not checked against the rack: correct what the detail says; it ends by itself."),
	kind(DecoderSoftware, Warning, "No se descodifica por hardware", "Hardware decoding is not used",
		"Descodifica el procesador, con más carga. Revise el controlador y los permisos del dispositivo con `vision doctor`, o ponga `decoder: software`.",
		"The processor decodes, with more load. Check the driver and the device's permissions with `vision doctor`, or set `decoder: software`."),
	kind(ReaderLost, Warning, "Lector reiniciado", "Reader restarted",
		"La jugada en curso queda sin verificar; si se repite, avise al técnico.",
		"The round in progress stays unverified; if it happens again call the technician."),
	kind(ReaderBehind, Warning, "El lector va con retraso", "Reader is behind",
		"La máquina no da abasto: menos cámaras o menos fotogramas.",
		"The machine cannot keep up: fewer cameras or fewer frames."),
	kind(MachineSlow, Warning, "La máquina va lenta", "The machine is too slow",
		"Lee las mesas con retraso y puede perderse algo, que no se da por bueno: menos mesas o menos fotogramas, o una máquina con más núcleos. En la demostración el juego espera y va más despacio.",
		"It reads the tables late and may miss something, which is never taken as correct: fewer tables or fewer frames, or a machine with more cores. In the demonstration the play waits and goes more slowly."),
	kind(RecordingFailed, Critical, "No se graba", "Not recording",
		"Sin grabación no hay prueba, y la norma puede no permitir cuatro mesas por jefe. Revise el disco.",
		"Without recording there is no evidence, and the norm may not allow four tables per jefe. Check the disk."),
	kind(DiskLow, Warning, "Queda poco sitio para grabar", "Room for recordings runs low",
		"Pronto se borrarán grabaciones antes de su plazo: amplíe el disco o max_disk, o selle lo que deba quedar.",
		"Recordings will soon be removed before their time: enlarge the disk or max_disk, or seal what has to stay."),
	kind(DiskFull, Critical, "Disco lleno", "Disk full",
		"Se borran los segmentos más antiguos sin sellar; amplíe el disco o acorte la retención.",
		"The oldest unsealed segments are removed; enlarge the disk or shorten retention."),
	kind(LedgerFailed, Critical, "El registro no se escribe", "Ledger cannot be written",
		"Ningún veredicto se da por bueno mientras dure. Revise el disco de datos.",
		"No verdict is acknowledged meanwhile. Check the data disk."),
	kind(LedgerRepaired, Info, "Registro reparado al arrancar", "Ledger repaired at start-up",
		"La última línea quedó a medias por un corte; se guardó aparte.",
		"The last line was cut short by a stop; it was set aside."),
	kind(IndexFailed, Warning, "El índice no responde", "Index fails",
		"Las búsquedas fallan; el registro sigue completo y el índice se rehace al arrancar.",
		"Searches fail; the ledger is complete and the index is rebuilt at start-up."),
	kind(BusDown, Warning, "Redis no responde", "Redis does not answer",
		"Los avisos se guardan y se enviarán al volver.",
		"Messages are kept and sent when it is back."),
	kind(BusRefused, Warning, "Redis rechaza peticiones", "Redis refuses requests",
		"Redis responde, pero con un error: el detalle dice la clave, el error y cómo corregirlo. Las mesas siguen; se quita solo.",
		"Redis answers, but with an error: the detail says the key, the error and how to mend it. The tables go on; it ends by itself."),
	kind(PushFailed, Warning, "No se puede avisar fuera", "Alerts cannot be sent out",
		"Compruebe la dirección del webhook o el servidor de correo; las alertas siguen en la consola.",
		"Check the webhook's address or the mail server; the alerts are in the console all the same."),
	kind(SensorDown, Warning, "Sensor sin conexión", "Sensor not connected",
		"Compruebe el cable o el puerto del sensor.",
		"Check the sensor's cable or port."),
	kind(SensorMalformed, Warning, "Línea de sensor ilegible", "Sensor line cannot be read",
		"Compruebe el formato de la línea con docs/integrator.md.",
		"Check the line's form against docs/integrator.md."),
	kind(SensorLate, Info, "Aviso llegado tarde", "Call arrived late",
		"Llegó más de 2 s después y no se tuvo en cuenta; revise la red o el reloj del terminal.",
		"It came more than 2 s late and was not counted; check the terminal's network and clock."),
	kind(SensorFloods, Warning, "Un sensor envía demasiado", "A sensor sends too much",
		"Se le leen cien líneas por segundo y el resto espera: repárelo o desconéctelo.",
		"A hundred lines a second are read and the rest waits: repair or disconnect it."),
	kind(SensorRefused, Warning, "Aviso no aceptado por ahora", "Call not taken for now",
		"El emisor debe enviarlo otra vez con el mismo id; mire qué otro problema hay: el registro, o que nadie atiende la mesa.",
		"Its sender must send it again with the same id; see which other problem there is: the ledger, or that nobody runs the table."),
	kind(ClockSkew, Warning, "Reloj desajustado", "Clock is off",
		"Ponga el reloj del emisor en hora (NTP).",
		"Set the sender's clock (NTP)."),
	kind(ConfigRefused, Warning, "Configuración nueva rechazada", "New configuration refused",
		"Sigue en marcha la anterior; corrija el fichero y vuelva a leerlo.",
		"The previous one stays in force; correct the file and have it read again."),
	kind(CertificateEnds, Warning, "El certificado caduca", "The certificate is about to expire",
		"Renuévelo en los mismos ficheros; se toma solo. Caducado, los navegadores no dejan entrar.",
		"Renew it in the same files; it is picked up by itself. Once it has expired browsers let nobody in."),
	kind(HandlesLow, Critical, "Se agotan los descriptores de fichero", "File handles run out",
		"Pronto no se podrá grabar ni conectar nada nuevo: aumente LimitNOFILE del servicio, y vea en el registro quién abre tantas conexiones.",
		"Soon nothing new can be recorded or connected: raise the service's LimitNOFILE, and see in the log who opens so many connections."),
	kind(ProviderDown, Warning, "El proveedor de identidad no responde", "The identity provider does not answer",
		"Nadie puede entrar con la cuenta de la casa; las contraseñas propias siguen valiendo. Revise la red y sign_in.oidc.",
		"Nobody can log in with the house's account; passwords of this node still count. Check the network and sign_in.oidc."),
	kind(NodeName, Critical, "Dos máquinas con el mismo nombre", "Two machines with the same name",
		"Esta máquina no toma mesas: dele un nombre propio con node: en su vision.yaml y vuelva a leerlo.",
		"This machine takes no tables: give it a name of its own with node: in its vision.yaml, and have it read again."),
	kind(NodeFull, Warning, "Ninguna máquina da para más mesas", "No machine has room for more tables",
		"Si falla otra, sus mesas se leerán mal: añada una máquina o quite mesas.",
		"If another fails its tables will be read badly: add a machine or remove tables."),
	kind(TableTaken, Info, "Mesa tomada de otra máquina", "Table taken from another machine",
		"La jugada en curso queda sin verificar; compruebe que la sesión de la mesa sigue como estaba.",
		"The round in progress stays unverified; check that the table's session is as it was."),
	kind(TableUnserved, Critical, "Ninguna máquina lleva la mesa", "No machine runs the table",
		"No se lee ni se graba: arranque una máquina que lleve mesas (role: worker o both).",
		"It is neither read nor recorded: start a machine that runs tables (role: worker or both)."),
	kind(TableFailed, Critical, "La mesa no se puede llevar", "Table cannot be run",
		"Corrija lo que dice el detalle; se reintenta sola.",
		"Correct what the detail says; it is tried again by itself."),
	kind(ReplicaBehind, Warning, "La réplica va con retraso", "The replica is behind",
		"Lo grabado y anotado sigue aquí y se enviará al volver. Revise la red hacia el almacén, que responda, y replica.bandwidth.",
		"What was recorded and noted is still here and will be sent. Check the network to the store, that it answers, and replica.bandwidth."),
	kind(ReplicaRefused, Critical, "El almacén de la réplica no acepta lo enviado", "The replica's store refuses what is sent",
		"Nada nuevo queda a salvo fuera de esta máquina. Revise credenciales, permisos, el bloqueo de objetos del depósito y su espacio.",
		"Nothing new is safe outside this machine. Check credentials, rights, the bucket's Object Lock and its room."),
	kind(ReplicaLost, Critical, "Se borró una grabación sin réplica", "A recording was removed before it was replicated",
		"No quedaba sitio en el disco. Amplíelo, y vea por qué la réplica va con retraso; el registro nombra lo que se borró.",
		"There was no room left on the disk. Enlarge it, and see why the replica is behind; the ledger names what was removed."),
	kind(WitnessDown, Warning, "El testigo no responde", "The witness does not answer",
		"El registro sigue; lo anotado desde entonces lo firmará al volver. Revise la red, su dirección y su clave.",
		"The ledger goes on; what was noted since will be cosigned when it is back. Check the network, its address and its key."),
	kind(WitnessRefused, Critical, "El testigo no reconoce el registro", "The witness does not recognise the ledger",
		"El registro no continúa el que firmó el testigo: se cambió, se perdió su final o se restauró una copia antigua. Déjelo todo como está y ejecute `vision verify`.",
		"The ledger does not continue the one that the witness cosigned: it was changed, its end was lost, or an old copy was restored. Leave everything as it is and run `vision verify`."),
	kind(TimestampDown, Warning, "El servicio de sellado de tiempo no responde", "The time-stamping service does not answer",
		"El registro sigue; se reintenta solo. Revise la red y timestamp.url.",
		"The ledger goes on; it is tried again by itself. Check the network and timestamp.url."),
}

// kind puts an entry into all languages.
func kind(code string, severity Severity, es, en, adviceES, adviceEN string) Kind {
	return Kind{code, severity, WordsOf(text.Text{ES: es, EN: en}, text.Text{ES: adviceES, EN: adviceEN})}
}

// Find is the catalogue's entry of a code.
func Find(code string) (Kind, bool) {
	i := slices.IndexFunc(Catalogue, func(k Kind) bool { return k.Code == code })
	if i < 0 {
		return Kind{}, false
	}
	return Catalogue[i], true
}
