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

func (s *Server) configuration(*http.Request, *Account) (any, error) {
	c := s.cfg.Configuration()
	c.Rereads = s.cfg.Reread != nil
	for _, list := range []*[]string{&c.Problems, &c.Clear} {
		*list = append([]string{}, *list...) // never null
	}
	return c, nil
}

// reread has the file read again, as kill -HUP does; who did it is in the ledger
// first.
func (s *Server) reread(w http.ResponseWriter, r *http.Request, a *Account) {
	c := s.cfg.Configuration()
	var err error
	switch {
	case s.cfg.Reread == nil:
		err = refusal(http.StatusConflict, "this node has no file to read again")
	case len(c.Problems) > 0:
		err = refusal(http.StatusConflict, "the file cannot be used: %s", c.Problems[0])
	default:
		err = s.act(r, Act{User: a.User, Action: "reread", Object: c.File})
	}
	if err != nil {
		deny(w, err)
		return
	}
	s.cfg.Reread()
	w.WriteHeader(http.StatusAccepted)
}
