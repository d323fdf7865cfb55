package console

import (
	"net/http"

	"vision/internal/config"
)

// Configuration is what an administrator sees of it. It is written in its file, on the
// machine; from a browser only a table with its camera is added to it (Setup).
type Configuration struct {
	File     string           `json:"file"`     // "": there is none
	Settings []config.Setting `json:"settings"` // in force
	Problems []string         `json:"problems"` // why the file, as it is now, cannot be used
	Changed  bool             `json:"changed"`  // the file says something else than what is in force
	Clear    []string         `json:"clear"`    // what crosses the network in the clear
	Rereads  bool             `json:"rereads"`  // whether it can be read again from here
}

func (s *Server) configuration(w http.ResponseWriter, _ *http.Request, _ *Account) {
	c := s.cfg.Configuration()
	c.Rereads = s.cfg.Reread != nil
	for _, list := range []*[]string{&c.Problems, &c.Clear} {
		*list = append([]string{}, *list...) // never null
	}
	reply(w, c)
}

// reread has the file read again, as kill -HUP does; who did it is in the ledger
// first.
func (s *Server) reread(w http.ResponseWriter, r *http.Request, a *Account) {
	c := s.cfg.Configuration()
	switch {
	case s.cfg.Reread == nil:
		refuse(w, http.StatusConflict, "this node has no file to read again")
	case len(c.Problems) > 0:
		refuse(w, http.StatusConflict, "the file cannot be used: %s", c.Problems[0])
	case s.act(w, r, Act{User: a.User, Action: "reread", Object: c.File}):
		s.cfg.Reread()
		w.WriteHeader(http.StatusAccepted)
	}
}
