// Command go-ccm is a cloud controller manager made of Kubernetes' own framework: the flags, the Lease and the node
// controllers that every Go one has. Its cloud is a JSON file given as --cloud-config, with the machine of each node:
//
//	{"machines": {"node-1": {"uuid": "…", "address": "10.0.0.1", "zone": "z", "region": "r", "off": false}}}
package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	"k8s.io/component-base/cli"
	cliflag "k8s.io/component-base/cli/flag"
)

const providerName = "vsphere"

type machine struct {
	UUID    string `json:"uuid"`
	Address string `json:"address"`
	Zone    string `json:"zone"`
	Region  string `json:"region"`
	Off     bool   `json:"off"`
}

// fileCloud answers for the machines of a file, which it read when it was started.
type fileCloud struct {
	Machines map[string]machine `json:"machines"`
}

func readCloud(file io.Reader) (cloudprovider.Interface, error) {
	if file == nil {
		return nil, errors.New("--cloud-config must name the file with the machines")
	}
	var cloud fileCloud
	return &cloud, json.NewDecoder(file).Decode(&cloud)
}

func (*fileCloud) Initialize(cloudprovider.ControllerClientBuilder, <-chan struct{}) {}
func (*fileCloud) LoadBalancer() (cloudprovider.LoadBalancer, bool)                  { return nil, false }
func (*fileCloud) Instances() (cloudprovider.Instances, bool)                        { return nil, false }
func (c *fileCloud) InstancesV2() (cloudprovider.InstancesV2, bool)                  { return c, true }
func (*fileCloud) Zones() (cloudprovider.Zones, bool)                                { return nil, false }
func (*fileCloud) Clusters() (cloudprovider.Clusters, bool)                          { return nil, false }
func (*fileCloud) Routes() (cloudprovider.Routes, bool)                              { return nil, false }
func (*fileCloud) ProviderName() string                                              { return providerName }
func (*fileCloud) HasClusterID() bool                                                { return true }

func (c *fileCloud) InstanceExists(_ context.Context, node *v1.Node) (bool, error) {
	_, found := c.Machines[node.Name]
	return found, nil
}

func (c *fileCloud) InstanceShutdown(_ context.Context, node *v1.Node) (bool, error) {
	return c.Machines[node.Name].Off, nil
}

func (c *fileCloud) InstanceMetadata(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	found, ok := c.Machines[node.Name]
	if !ok {
		return nil, cloudprovider.InstanceNotFound
	}
	return &cloudprovider.InstanceMetadata{
		ProviderID: providerName + "://" + found.UUID,
		Zone:       found.Zone,
		Region:     found.Region,
		NodeAddresses: []v1.NodeAddress{
			{Type: v1.NodeHostName, Address: node.Name},
			{Type: v1.NodeInternalIP, Address: found.Address},
			{Type: v1.NodeExternalIP, Address: found.Address},
		},
	}, nil
}

func initialize(completed *config.CompletedConfig) cloudprovider.Interface {
	base := completed.ComponentConfig.KubeCloudShared.CloudProvider
	cloud, err := cloudprovider.InitCloudProvider(base.Name, base.CloudConfigFile)
	if err != nil || cloud == nil {
		log.Fatalf("go-ccm: cannot read the machines: %v", err)
	}
	return cloud
}

func main() {
	cloudprovider.RegisterCloudProvider(providerName, readCloud)
	settings, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		log.Fatalf("go-ccm: %v", err)
	}
	command := app.NewCloudControllerManagerCommand(settings, initialize, app.DefaultInitFuncConstructors,
		names.CCMControllerAliases(), cliflag.NamedFlagSets{}, wait.NeverStop)
	os.Exit(cli.Run(command))
}
