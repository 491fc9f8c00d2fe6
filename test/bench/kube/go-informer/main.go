// The same work as informer-program.ts, with client-go: follow all nodes, tell when they are synced, count updates.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var started = time.Now()

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	// As informers of the other side: JSON, which is what every custom resource is served as.
	if len(os.Args) > 3 && os.Args[3] == "json" {
		config.ContentType = "application/json"
	} else {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	}
	expected, err := strconv.Atoi(os.Args[2])
	check(err)
	client, err := kubernetes.NewForConfig(config)
	check(err)

	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Nodes().Informer()
	check(informer.SetTransform(withoutBallast))

	var lock sync.Mutex
	var updates int
	var first, last time.Time
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ any) {
			lock.Lock()
			defer lock.Unlock()
			last = time.Now()
			if updates == 0 {
				first = last
			}
			updates++
			if updates == expected {
				fmt.Printf("updates %d %d\n", updates, last.Sub(first).Milliseconds())
			}
		},
	})
	check(err)
	stop := make(chan struct{})
	factory.Start(stop)
	factory.WaitForCacheSync(stop)
	fmt.Printf("synced %d %d\n", len(informer.GetStore().List()), time.Since(started).Milliseconds())
	time.Sleep(2 * time.Second)
	fmt.Printf("rss %d\n", rssKb())
	select {}
}

// Keeps what a cloud controller reads of a node.
func withoutBallast(object any) (any, error) {
	if node, ok := object.(*corev1.Node); ok {
		node.ManagedFields = nil
		node.Status.Images = nil
	}
	return object, nil
}

func rssKb() int {
	text, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "VmRSS:") {
			kb, err := strconv.Atoi(strings.Fields(line)[1])
			check(err)
			return kb
		}
	}
	return 0
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
