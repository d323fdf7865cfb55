package console

import (
	"context"
	"net/http"
	"time"

	"vision/capture/onvif"
)

// discoverFor is how long cameras have to answer.
const discoverFor = 3 * time.Second

// discover asks the node's network for ONVIF cameras.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, _ *Account) {
	ctx, cancel := context.WithTimeout(r.Context(), discoverFor)
	defer cancel()
	ask := s.cfg.Discover
	if ask == nil {
		ask = onvif.Discover
	}
	found, err := ask(ctx)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, "%v", err)
		return
	}
	reply(w, append([]onvif.Found{}, found...))
}
