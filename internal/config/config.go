// Package config is vision.yaml.
package config

import "time"

// Config is the whole file. config.example.yaml beside README.md is its manual.
type Config struct {
	Data     string    `yaml:"data"`   // folder of ledger, recordings and index
	Norm     string    `yaml:"norm"`   // default norm of all tables
	Listen   string    `yaml:"listen"` // console, WHEP, API
	Redis    string    `yaml:"redis"`  // "" = embedded, or redis://…
	Record   Record    `yaml:"record"`
	Tables   []Table   `yaml:"tables"`
	Sensors  []Sensor  `yaml:"sensors"`
	Accounts []Account `yaml:"accounts"`
}

// Record is what is kept and for how long.
type Record struct {
	Keep    time.Duration `yaml:"keep"`     // age after which unsealed segments go
	MaxDisk string        `yaml:"max_disk"` // hard ceiling, "200GB"
	Segment time.Duration `yaml:"segment"`  // length of a segment file
}

// Table is one gaming table.
type Table struct {
	ID      string         `yaml:"id"`
	Name    string         `yaml:"name"`
	Game    string         `yaml:"game"`
	Norm    string         `yaml:"norm"`
	Min     int64          `yaml:"min"` // cents
	Max     int64          `yaml:"max"`
	Decks   int            `yaml:"decks"`
	Options map[string]any `yaml:"options"`
	Cameras []Camera       `yaml:"cameras"`
}

// Camera is one view of a table.
type Camera struct {
	Name        string `yaml:"name"`
	URL         string `yaml:"url"` // rtsp://…, /dev/videoN, a video file, a folder of images
	Calibration string `yaml:"calibration"`
}

// Sensor is one line device: a TCP listener, a serial port.
type Sensor struct {
	Name   string `yaml:"name"`
	URL    string `yaml:"url"` // tcp://:7001, serial:///dev/ttyUSB0?baud=9600
	Table  string `yaml:"table"`
	Secret string `yaml:"secret"`
}

// Account of the console.
type Account struct {
	User     string   `yaml:"user"`
	Role     string   `yaml:"role"`
	Password string   `yaml:"password"` // argon2id encoded
	Tables   []string `yaml:"tables"`
}
