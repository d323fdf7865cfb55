-- The index holds nothing that is not in the ledger: it may be deleted at any time.
CREATE TABLE entries (
  seq     INTEGER PRIMARY KEY,
  time    INTEGER NOT NULL, -- nanoseconds since 1970
  kind    TEXT NOT NULL,
  tbl     TEXT NOT NULL,
  hash    TEXT NOT NULL,
  payload TEXT NOT NULL
);
CREATE INDEX entries_kind ON entries (kind, time);
CREATE INDEX entries_tbl ON entries (tbl, time);
CREATE TABLE rounds (
  id       TEXT NOT NULL,
  tbl      TEXT NOT NULL,
  time     INTEGER NOT NULL, -- of the verdict, or of the round while there is none
  game     TEXT NOT NULL,
  norm     TEXT NOT NULL,
  void     INTEGER NOT NULL DEFAULT 0,
  findings INTEGER, -- NULL: not judged yet
  round    INTEGER, -- seq of its entry
  verdict  INTEGER, -- seq of its entry
  start    INTEGER NOT NULL DEFAULT 0, -- on the felt; 0: not known
  stop     INTEGER NOT NULL DEFAULT 0,
  unsure   TEXT NOT NULL DEFAULT '', -- why it is not verifiable
  PRIMARY KEY (tbl, id)
) WITHOUT ROWID;
CREATE INDEX rounds_time ON rounds (tbl, time);
CREATE TABLE plays ( -- cards and money of a round's events, to be searched for
  tbl    TEXT NOT NULL,
  round  TEXT NOT NULL,
  n      INTEGER NOT NULL,
  seat   INTEGER NOT NULL, -- 0: of no seat
  card   TEXT NOT NULL, -- as records have it, "Td"; '' where it is about money
  amount INTEGER NOT NULL, -- cents
  PRIMARY KEY (tbl, round, n)
) WITHOUT ROWID;
CREATE INDEX plays_card ON plays (card, tbl);
CREATE INDEX plays_amount ON plays (amount);
CREATE TABLE findings ( -- which codes a verdict has
  verdict INTEGER NOT NULL,
  code    TEXT NOT NULL,
  PRIMARY KEY (verdict, code)
) WITHOUT ROWID;
CREATE TABLE alerts (
  id       TEXT PRIMARY KEY,
  tbl      TEXT NOT NULL,
  opened   INTEGER NOT NULL,
  changed  INTEGER NOT NULL,
  state    TEXT NOT NULL,
  code     TEXT NOT NULL,
  severity TEXT NOT NULL,
  seq      INTEGER NOT NULL, -- of the newest transition
  person   TEXT NOT NULL, -- who acknowledged it
  amount   INTEGER NOT NULL, -- cents
  here     INTEGER NOT NULL, -- it was raised here; else steps of it were made here for another machine
  body     TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX alerts_state ON alerts (state, opened);
CREATE INDEX alerts_tbl ON alerts (tbl, opened);
CREATE TABLE reviews ( -- who has looked at which alert
  alert  TEXT NOT NULL,
  person TEXT NOT NULL,
  time   INTEGER NOT NULL,
  PRIMARY KEY (alert, person)
) WITHOUT ROWID;
CREATE TABLE notes (
  seq    INTEGER PRIMARY KEY,
  alert  TEXT NOT NULL,
  person TEXT NOT NULL,
  time   INTEGER NOT NULL,
  text   TEXT NOT NULL
);
CREATE INDEX notes_alert ON notes (alert);
CREATE TABLE marks ( -- places in recordings that people want to find again
  camera TEXT NOT NULL,
  at     INTEGER NOT NULL,
  person TEXT NOT NULL,
  text   TEXT NOT NULL,
  PRIMARY KEY (camera, at, person)
) WITHOUT ROWID;
