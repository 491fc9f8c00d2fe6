// Decodes the saved reply as govmomi does it, several times, and prints CPU and wall time of each round in microseconds.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
	"github.com/vmware/govmomi/vim25/xml"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	rounds, err := strconv.Atoi(os.Args[2])
	check(err)
	for range rounds {
		cpu, wall := cpuTime(), time.Now()
		var body methods.RetrievePropertiesExBody
		envelope := soap.Envelope{Body: &body}
		decoder := xml.NewDecoder(bytes.NewReader(text))
		decoder.TypeFunc = types.TypeFunc()
		check(decoder.Decode(&envelope))
		fmt.Printf("round %d %d %d\n", len(body.Res.Returnval.Objects), (cpuTime() - cpu).Microseconds(), time.Since(wall).Microseconds())
	}
}

// User and system time of the process, with that of the garbage collector.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
