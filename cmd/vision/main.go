// Command vision watches casino tables: see README.md.
package main

func main() {}
