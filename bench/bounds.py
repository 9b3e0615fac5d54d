"""What bounds each figure, by table and the beginning of the row's name: the longest one counts."""

BOUNDS = {
    "start": {
        "`--version`": "the JVM, picocli's model of the commands",
        "a mistake": "the JVM, picocli's model of the commands",
        "`inspect`": "the JVM, picocli, JSON; classes are interpreted",
        "smallest `convert`": "Hadoop's `Configuration`, picocli, compilation",
    },
    "blocks": {
        "`acts`": "the kernel's copies in two threads, by themselves 0.6 to 0.75 of `cp`; compilation",
        "`layers`": "as `acts`, and four files written in turns",
    },
    "durable": {
        "`acts`": "the disk",
        "`layers`": "the disk; all files end with the last block",
        "1 GiB, seconds": "the start of the JVM and of a job",
        "1 GiB, `--no-fsync`": "the start of the JVM and of a job, which alone takes longer than 0.5 of the peer",
    },
    "pickle": {
        "to SAEV": "zlib, the same as CPython's, 28 % of a profile; compilation 21 %, the start 17 %, writes 10 %",
        "from SAEV": "the Huffman coder; the start",
    },
    "digest": {
        "": "SHA-256 of the JVM in two tasks",
        "`stats`": "some 20 operations a value, one value at a time, in two tasks",
    },
    "samediff": {
        "SAEV to SDNB": "as `layers`",
        "SAEV to SDZ": "one task; an entry is spooled until its CRC-32 is known",
        "SDNB to": "the disk",
    },
    "read": {
        "ordered": "memory: two threads copy",
        "shuffled": "memory: scattered copies",
        "indexed": "a call of the system for each vector",
    },
    "keys": {
        "conversion": "the index, sorted by key, and the JSON of headers",
        "first fetch": "the loading of classes",
        "median": "pages of the index, and the header of a file, are read again",
        "99th": "headers of 1 MiB that were not read before",
    },
    "values": {"": "one value at a time, and the count of values that change"},
    "planning": {"": "requests to the NameNode, 16 at once"},
    "arrays": {
        "`acts": "the start of the JVM and of a job",
        "acts": "as `acts`, 256 KiB",
        "10,000": "each file is opened for its header, its ids and its values; the start; the compiler",
    },
    "shuffle": {
        "reading": "a position in a file for each chunk",
        "": "the disk, which reads and writes all rows twice",
    },
    "cluster": {
        "`shuffle`": "the start of containers for two jobs on two processors; HDFS, written twice",
        "": "the start of 8 containers on two processors",
    },
}
