package replica

import (
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"vision/internal/testkit/porttest"
	"vision/stream/record"
)

// foreign is MinIO's server, which VISION_MINIO names, with a disk that goes with the test, so
// that what is locked by compliance may stay there.
type foreign struct {
	t         *testing.T
	url, disk string
	cmd       *exec.Cmd
}

const foreignKey, foreignSecret = "vision-key", "vision-secret"

// minioServer starts it; make test-store builds it.
func minioServer(t *testing.T) *foreign {
	t.Helper()
	f := &foreign{t: t, url: "http://" + porttest.Address(t), disk: t.TempDir()}
	t.Cleanup(f.stop)
	f.start()
	return f
}

func (f *foreign) start() {
	f.t.Helper()
	f.cmd = exec.Command(os.Getenv("VISION_MINIO"), "server", "--quiet", "--address", f.url[len("http://"):],
		"--console-address", "127.0.0.1:0", f.disk)
	f.cmd.Env = append(os.Environ(), "MINIO_ROOT_USER="+foreignKey, "MINIO_ROOT_PASSWORD="+foreignSecret)
	f.cmd.Stderr = os.Stderr
	f.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := f.cmd.Start(); err != nil {
		f.t.Fatalf("VISION_MINIO: %v", err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for limit := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		res, err := client.Get(f.url + "/minio/health/ready")
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(limit) {
			f.t.Fatalf("MinIO is not ready: %v", err)
		}
	}
}

func (f *foreign) stop() {
	if f.cmd != nil {
		_ = f.cmd.Process.Kill()
		_ = f.cmd.Wait()
		f.cmd = nil
	}
}

// A store that is not ours is killed and comes back: everything becomes safe there, and is
// locked so that not even its owner removes it.
func TestAForeignStoreIsKilled(t *testing.T) {
	if os.Getenv("VISION_MINIO") == "" {
		t.Skip("SKIPPED: no MinIO to try (make test-store builds it and runs this)")
	}
	r, f := realServer(t)
	r.film(r.begun)
	rep, end := r.run()
	r.allSafe(rep)
	n := len(r.segments())
	f.stop()
	r.film(r.begun.Add(5 * time.Minute))
	r.await("an attempt", func() bool { return rep.Status().Fault != nil })
	if rep.Safe(r.segments()[n].File) {
		t.Error("a recording counts as safe while the store is down")
	}
	f.start()
	r.allSafe(rep)
	end()
	all := r.segments()
	r.check(0, len(all))
	if got := r.removedBy(all[0]); got == 0 {
		t.Error("the store's owner removed a recording that is locked")
	}
	r.restored(len(all))
}

// removedBy has the store's owner remove the versions of a recording, and counts refusals.
func (r *room) removedBy(seg record.Segment) (refused int) {
	r.Helper()
	v := r.vault()
	defer v.Close()
	versions, err := v.list(r.Context(), "recordings/"+seg.File)
	if err != nil || len(versions) == 0 {
		r.Fatal(versions, err)
	}
	for _, x := range versions {
		err := v.s3.RemoveObject(r.Context(), r.place.Bucket, v.key(x.name),
			minio.RemoveObjectOptions{VersionID: x.id, GovernanceBypass: true})
		if err != nil {
			refused++
		}
	}
	return refused
}
