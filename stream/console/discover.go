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
func (s *Server) discover(r *http.Request, _ *Account) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), discoverFor)
	defer cancel()
	ask := s.cfg.Discover
	if ask == nil {
		ask = onvif.Discover
	}
	found, err := ask(ctx)
	if err != nil {
		return nil, refusal(http.StatusServiceUnavailable, "%v", err)
	}
	return append([]onvif.Found{}, found...), nil
}
