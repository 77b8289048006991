// Checks an exported log with Go's own packages for transparency logs: the signature of the checkpoint
// (sumdb/note), that the tiles and the entries lead to its hash, that an earlier checkpoint is of the same log
// (sumdb/tlog), and the proof of a row.
//
//	sealedlog <verifier key> <directory of the export> <earlier checkpoint> <proof>
//	sealedlog sign <file of a private key> <text>
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func check(ok bool, what string) {
	if !ok {
		fmt.Fprintln(os.Stderr, "not so: "+what)
		os.Exit(1)
	}
}

func openCheckpoint(text []byte, verifier note.Verifier) tlog.Tree {
	opened := must(note.Open(text, note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	check(lines[0] == verifier.Name(), "the origin is the name of the key")
	var tree tlog.Tree
	must(fmt.Sscan(lines[1], &tree.N))
	copy(tree.Hash[:], must(base64.StdEncoding.DecodeString(lines[2])))
	return tree
}

// files reads tiles as tlog-tiles names them. Go's own paths have the height of the tiles in them.
type files struct{ directory string }

func (f files) Height() int { return 8 }

func pathOf(tile tlog.Tile) string {
	path := strings.TrimPrefix(tile.Path(), "tile/8/")
	if strings.HasPrefix(path, "data/") {
		path = "entries/" + strings.TrimPrefix(path, "data/")
	} else {
		level, rest, _ := strings.Cut(path, "/")
		path = strings.TrimLeft(level[:len(level)-1], "0") + level[len(level)-1:] + "/" + rest
	}
	return path
}

func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(filepath.Join(f.directory, "tile", pathOf(tile)))
		if err != nil {
			return nil, err
		}
		read = append(read, data)
	}
	return read, nil
}

func (f files) SaveTiles([]tlog.Tile, [][]byte) {}

// checkEntries hashes every entry of the bundles and compares it with the hash that the tree authenticates.
func checkEntries(f files, tree tlog.Tree) {
	reader := tlog.TileHashReader(tree, f)
	for first := int64(0); first < tree.N; first += 256 {
		width := min(256, tree.N-first)
		tile := tlog.Tile{H: 8, L: -1, N: first / 256, W: int(width)}
		data := must(os.ReadFile(filepath.Join(f.directory, "tile", pathOf(tile))))
		var indexes []int64
		for n := int64(0); n < width; n++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, first+n))
		}
		for _, hash := range must(reader.ReadHashes(indexes)) {
			length := int(binary.BigEndian.Uint16(data))
			check(tlog.RecordHash(data[2:2+length]) == hash, "an entry has the hash of its leaf")
			data = data[2+length:]
		}
		check(len(data) == 0, "a bundle ends with its last entry")
	}
}

func checkProof(text string, verifier note.Verifier) {
	head, checkpoint, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	check(lines[0] == "c2sp.org/tlog-proof@v1", "it is a proof")
	extra := must(base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra ")))
	length := 5 + binary.BigEndian.Uint32(extra[1:])
	entry, content := extra[:length], sha256.Sum256(extra[length:])
	check(bytes.HasSuffix(entry, content[:]), "the entry has the SHA-256 of the content")
	var index int64
	must(fmt.Sscanf(lines[2], "index %d", &index))
	var proof tlog.RecordProof
	for _, line := range lines[3:] {
		var hash tlog.Hash
		copy(hash[:], must(base64.StdEncoding.DecodeString(line)))
		proof = append(proof, hash)
	}
	tree := openCheckpoint([]byte(checkpoint), verifier)
	err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry))
	check(err == nil, fmt.Sprint("the proof leads to the checkpoint: ", err))
}

func main() {
	if os.Args[1] == "sign" {
		key := strings.TrimSpace(string(must(os.ReadFile(os.Args[2]))))
		signer := must(note.NewSigner(key))
		os.Stdout.Write(must(note.Sign(&note.Note{Text: os.Args[3]}, signer)))
		return
	}
	verifier := must(note.NewVerifier(os.Args[1]))
	f := files{os.Args[2]}
	tree := openCheckpoint(must(os.ReadFile(filepath.Join(f.directory, "checkpoint"))), verifier)
	checkEntries(f, tree)
	earlier := openCheckpoint(must(os.ReadFile(os.Args[3])), verifier)
	proof := must(tlog.ProveTree(tree.N, earlier.N, tlog.TileHashReader(tree, f)))
	check(tlog.CheckTree(proof, tree.N, tree.Hash, earlier.N, earlier.Hash) == nil, "the earlier checkpoint is of this log")
	checkProof(string(must(os.ReadFile(os.Args[4]))), verifier)
	fmt.Printf("%d entries, and an earlier checkpoint of %d\n", tree.N, earlier.N)
}
