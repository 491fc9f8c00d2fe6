// Command vcsim serves govmomi's vCenter simulator: an inventory of the size asked for, with credentials that are
// enforced, until SIGTERM or SIGINT. It prints one line with its URL once it answers.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/google/uuid"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"

	// Each of these registers its endpoint with the simulator when imported.
	_ "github.com/vmware/govmomi/cns/simulator"
	_ "github.com/vmware/govmomi/lookup/simulator"
	_ "github.com/vmware/govmomi/pbm/simulator"
	_ "github.com/vmware/govmomi/ssoadmin/simulator"
	_ "github.com/vmware/govmomi/sts/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
	_ "github.com/vmware/govmomi/vslm/simulator"
)

func main() {
	if err := run(); err != nil {
		log.Fatalf("vcsim: %v", err)
	}
}

func run() error {
	model := simulator.VPX()
	flag.IntVar(&model.Datacenter, "dc", model.Datacenter, "number of datacenters")
	flag.IntVar(&model.Cluster, "cluster", model.Cluster, "number of clusters per datacenter")
	flag.IntVar(&model.ClusterHost, "host", model.ClusterHost, "number of hosts per cluster")
	flag.IntVar(&model.Host, "standalone-host", model.Host, "number of hosts outside a cluster, per datacenter")
	flag.IntVar(&model.Pool, "pool", model.Pool, "number of child resource pools per cluster")
	flag.IntVar(&model.Machine, "vm", model.Machine, "number of virtual machines per resource pool")
	flag.IntVar(&model.Datastore, "ds", model.Datastore, "number of datastores per datacenter, mounted on every host")
	flag.IntVar(&model.Folder, "folder", model.Folder, "number of datacenters placed within folders")
	flag.BoolVar(&model.Autostart, "autostart", model.Autostart, "power the virtual machines on")
	flag.IntVar(&model.DelayConfig.Delay, "delay", 0, "milliseconds by which each SOAP call is delayed")
	methodDelay := flag.String("method-delay", "", "delays of single SOAP methods: Name:milliseconds,Name:milliseconds")
	listen := flag.String("l", "127.0.0.1:0", "address to listen on; port 0 takes a free one")
	useTLS := flag.Bool("tls", true, "serve https")
	certificate := flag.String("cert", "", "PEM certificate file; without one, a built-in certificate is served")
	key := flag.String("key", "", "PEM key file of -cert")
	username := flag.String("username", "", "the only user who may log in, of the domain vsphere.local; empty lets every user in")
	password := flag.String("password", "", "the password of -username")
	version := flag.String("version", "8.0.3", "vCenter version to report: three numbers")
	build := flag.String("build", "24022515", "vCenter build to report")
	flag.Parse()

	setAbout(&model.ServiceContent.About, *version, *build)
	user, err := loginName(*username)
	if err != nil {
		return err
	}
	delays, err := parseMethodDelay(*methodDelay)
	if err != nil {
		return err
	}
	model.DelayConfig.MethodDelay = delays

	defer model.Remove()
	if err := model.Create(); err != nil {
		return err
	}

	service := model.Service
	service.RegisterEndpoints = true
	service.Listen = &url.URL{Host: *listen}
	if user != "" {
		service.Listen.User = url.UserPassword(user, *password)
	}
	if *useTLS {
		if service.TLS, err = tlsConfig(*certificate, *key); err != nil {
			return err
		}
	}

	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGINT, syscall.SIGTERM)

	server := service.NewServer()
	fmt.Printf("vcsim listens on %s://%s%s\n", server.URL.Scheme, server.URL.Host, server.URL.Path)
	<-quit
	// Open requests (WaitForUpdatesEx, for instance) would keep server.Close waiting: the process simply ends.
	return nil
}

// setAbout makes the simulator, which presents itself as a vCenter 6.5 and under the same id on each start, a vCenter
// of this version with an id of its own.
func setAbout(about *types.AboutInfo, version, build string) {
	about.Version = version
	about.ApiVersion = version + ".0"
	about.Build = build
	about.FullName = fmt.Sprintf("%s %s build-%s", about.Name, version, build)
	about.InstanceUuid = uuid.NewString()
}

// loginName cuts the domain off: the simulator appends vsphere.local to the user it is given, and then accepts both
// forms of the name.
func loginName(username string) (string, error) {
	name, domain, qualified := strings.Cut(username, "@")
	if qualified && domain != "vsphere.local" {
		return "", fmt.Errorf("-username %q: the simulator knows users of the domain vsphere.local only", username)
	}
	return name, nil
}

func parseMethodDelay(text string) (map[string]int, error) {
	delays := map[string]int{}
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(entry, ":")
		milliseconds, err := strconv.Atoi(value)
		if err != nil || name == "" {
			return nil, fmt.Errorf("-method-delay %q: expected Name:milliseconds", entry)
		}
		delays[name] = milliseconds
	}
	return delays, nil
}

func tlsConfig(certificate, key string) (*tls.Config, error) {
	if certificate == "" {
		return &tls.Config{}, nil
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}}, nil
}
