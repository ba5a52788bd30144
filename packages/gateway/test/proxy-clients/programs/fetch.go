// A read and a write. Go takes the proxy, its user and password from the environment.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func body(answer *http.Response, err error) string {
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func main() {
	url := os.Args[1]
	read := body(http.Get(url + "/read"))
	write := body(http.Post(url+"/write", "text/plain", strings.NewReader("from go")))
	fmt.Printf(`{"read":%s,"write":%s}`, read, write)
}
