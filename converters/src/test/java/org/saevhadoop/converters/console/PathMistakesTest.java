package org.saevhadoop.converters.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.mapreduce.FaultyFileSystem;

/**
 * Paths that are not those of a dataset: the answer names the path to type instead, or what is
 * there.
 */
@Tag("late")
@ResourceLock(FaultyFileSystem.SCHEME)
class PathMistakesTest {
  /** The end of a message about something that no format reads. */
  private static final String UNREAD = ", which is not read (expected metadata.json from saev, ";

  private static final String MANY_UNREAD =
      ", which are not read (expected metadata.json from saev,";

  /** A command with @ for the folder, and the whole answer or its beginning after the path. */
  private static final String REFUSED =
      """
      inspect @/saev/acts000001.bin         | is a part of a saev dataset (expected its folder: @/saev)
      inspect @/saev/metadata.json          | is a part of a saev dataset (expected its folder: @/saev)
      cat @/saev/labels.bin --example 0     | is a part of a saev dataset (expected its folder: @/saev)
      convert @/saev/shards.json @/out --to pickle | is a part of a saev dataset (expected its folder: @/saev)
      convert @/saev/acts000000.bin @/out --to pickle --from saev | is a part of a saev dataset (expected its folder: @/saev)
      inspect @/kv/dataset_manifest.json    | is a part of a safetensors dataset (expected its folder: @/kv)
      convert @/kv/_tensor_index.parquet @/out --to saev | is a part of a safetensors dataset (expected its folder: @/kv)
      inspect @/pickle/metadata.json        | is a part of a pickle dataset (expected its folder: @/pickle)
      inspect @/savv                        | no such file or directory (expected a dataset; @ has no savv, but saev)
      inspect @/Saev                        | no such file or directory (expected a dataset; @ has no Saev, but saev)
      inspect @/nowhere/acts                | no such file or directory (expected a dataset; @ has no nowhere)
      inspect @/saev/metadata.json/x        | no such file or directory (expected a dataset; @/saev/metadata.json is a file)
      convert @/acts.pt @/out --to saev     | entry "acts/data.pkl" is compressed, which prevents reading it in place (expected an archive as torch.save writes it)
      inspect @/docs.zip                    | is a ZIP archive UNREAD
      inspect @/x.npy                       | ends at byte 26 (expected 128 bytes or more)
      inspect @/x.h5                        | is an HDF5 file, which is not read; python3 -c "import h5py, numpy; numpy.save('NAME.npy', h5py.File('@/x.h5')['NAME'][:])" writes its array NAME as .npy (expected
      digest @/x.parquet                    | has 6 bytes (expected a Parquet file)
      inspect @/x.arrow                     | does not end with ARROW1: its writer has not finished, or it is truncated
      inspect @/stream.arrow                | has a message of 256 bytes, at byte 0 (expected at most 2: it is truncated, or not Arrow)
      inspect @/x.gguf                      | is a GGUF model UNREAD
      inspect @/0.tar                       | is a tar archive UNREAD
      inspect @/0.tar.gz                    | is a tar archive in gzip UNREAD
      inspect @/legacy.pt                   | is in the legacy form of torch.save, whose tensors cannot be read in place (expected the ZIP form: load
      inspect @/legacy.pkl                  | is a torch file in the legacy form UNREAD
      inspect @/lfs.bin                     | is a git-LFS pointer to a file that has not been fetched UNREAD
      inspect @/lfs.pkl.gz                  | is a git-LFS pointer to a file that has not been fetched UNREAD
      inspect @/config.json                 | is a JSON document UNREAD
      inspect @/a.csv                       | is a text file UNREAD
      inspect @/empty.bin                   | is empty (expected metadata.json from saev, dataset_manifest.json, files *.safetensors,
      inspect @/floats.bin                  | has an unknown format (expected metadata.json from saev,
      inspect @/empty                       | is empty (expected metadata.json from saev, dataset_manifest.json, files *.safetensors,
      inspect @/zarr                        | is a Zarr array or group, which is not read; python3 -c "import zarr, numpy; numpy.save('NAME.npy', zarr.open('@/zarr')[:])" writes its array NAME as .npy (expected
      inspect @/hf                          | has dataset_info.json of a dataset of Hugging Face, but no Arrow files (expected metadata.json
      inspect @/hdf                         | contains HDF5 files (*.h5) MANY
      inspect @/activault                   | contains HDF5 files (*.h5) and a metadata.json from another program MANY
      inspect @/activault/metadata.json     | is a JSON document UNREAD
      inspect @/tool                        | has a metadata.json from another program (expected metadata.json from saev, dataset_manifest
      inspect @/pickles                     | has an unknown format (expected metadata.json from saev,
      """;

  private static final byte[] TORCH_LEGACY = {
    -128, 2, -118, 10, 108, -4, -100, 70, -7, 32, 106, -88, 80, 25, '.'
  };

  private static final String LFS =
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";

  @TempDir static Path folder;

  @BeforeAll
  static void writeDatasets() throws IOException {
    Path saev = Fixtures.labelled(Fixtures.SMALL, folder);
    Files.move(saev, folder.resolve("saev"));
    for (String copy : List.of("one/deep", "root/saev/shards", "several/run", "several/x y")) {
      Files.move(
          Fixtures.copy(Fixtures.SMALL, folder.resolve(copy)), folder.resolve(copy + "/acts"));
    }
    Files.createDirectories(folder.resolve("one/_temporary/0"));
    Fixtures.copy(Fixtures.SMALL, folder.resolve("one/_temporary"));
    Fixtures.copy(Fixtures.SMALL, folder.resolve("one/.staging"));
    Cli.convert(folder.resolve("saev"), folder.resolve("kv"), "safetensors --kv").succeeds();
    Cli.convert(folder.resolve("saev"), folder.resolve("pickle"), "pickle").succeeds();
    Cli.convert(folder.resolve("saev"), folder.resolve("sdz"), "samediff --container sdz")
        .succeeds();
    Files.copy(folder.resolve("sdz/activations.sdz"), folder.resolve("unnamed"));
    writeFiles();
    writeFolders();
  }

  private static void writeFiles() throws IOException {
    byte[] array = text("\u0093NUMPY\1\0v\0{'descr': '<f4'}");
    write("x.npy", array);
    write("x.npz", zip("a.npy", array));
    byte[] torch = zip("acts/data.pkl", text("\u0080\2}."));
    write("acts.pt", torch);
    write("torch.safetensors", torch);
    write("docs.zip", zip("a.txt", text("a")));
    write("x.h5", text("\u0089HDF\r\n\u001a\n\0\0"));
    write("x.parquet", text("PAR1\u0015\4"));
    write("x.arrow", text("ARROW1\0\0"));
    write("stream.arrow", text("\u00ff\u00ff\u00ff\u00ff\0\1\0\0\u0010\0"));
    write("x.gguf", text("GGUF\3\0\0\0\0"));
    byte[] tar = text("a.npy" + "\0".repeat(252) + "ustar\00000");
    write("0.tar", tar);
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(compressed)) {
      out.write(tar);
    }
    write("0.tar.gz", compressed.toByteArray());
    write("legacy.pt", TORCH_LEGACY);
    write("legacy.pkl", TORCH_LEGACY);
    write("lfs.bin", text(LFS));
    write("lfs.pkl.gz", text(LFS));
    write("config.json", text("{\"d_in\": 512}"));
    write("a.csv", text("layer,token,v\n1,2,3\n"));
    write("empty.bin", text(""));
    write("floats.bin", text("\0\0\u0080?".repeat(300)));
  }

  private static void writeFolders() throws IOException {
    Files.createDirectory(folder.resolve("empty"));
    write("zarr/.zarray", text("{}"));
    write("zarr/0.0", text("\0\0\u0080?"));
    write("hf/dataset_info.json", text("{}"));
    write("hdf/layer_0.h5", text("\0"));
    write("hdf/layer_1.h5", text("\0"));
    write("hdf/readme.md", text("\0"));
    // hook_uploader.py of activault, bd97d2fc
    write(
        "activault/metadata.json",
        text(
            """
            {"batch_size": 32, "sequence_length": 16, "dtype": "torch.bfloat16", "d_in": 512,
             "batches_per_file": 4, "shape": [32, 16, 512], "input_ids_shape": [32, 16]}
            """));
    write("activault/statistics.json", text("{}"));
    write("activault/9b1d--1_0.saved.h5", text("\0"));
    write("tool/metadata.json", text("{\"name\": \"x\"}"));
    write("pickles/acts.pkl", text("\u0080\4}."));
  }

  /** Returns the bytes of characters up to U+00FF. */
  private static byte[] text(String characters) {
    return characters.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private static byte[] zip(String entry, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(content);
    }
    return bytes.toByteArray();
  }

  private static Cli run(String command) {
    return Cli.run((Object[]) command.strip().replace("@", folder.toString()).split(" "));
  }

  static Stream<String> refused() {
    return REFUSED.lines();
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theAnswerIsTheLineToTypeOrWhatIsThere(String row) {
    String[] cells = row.split(" \\| ");
    String expected = cells[1].strip().replace(" UNREAD", UNREAD).replace(" MANY", MANY_UNREAD);
    String path = cells[0].strip().split(" ")[1];
    Cli cli = run(cells[0]);
    assertThat(cli.exitCode()).as(cli.stderr()).isEqualTo(1);
    assertThat(cli.text()).isEmpty();
    assertThat(cli.stderr().lines().filter(l -> !l.startsWith("next: "))).hasSize(1);
    String line = cli.stderr().strip();
    assertThat(line).startsWith((path + ": " + expected).replace("@", folder.toString()));
    assertThat(folder.resolve("out")).doesNotExist();
    assertThat(folder.resolve("one.sha256")).doesNotExist();
  }

  @Test
  void theOnlyDatasetBelowAFolderIsReadAsIfItWereTyped() {
    for (String command : List.of("inspect", "list", "digest")) {
      assertThat(run(command + " @/one").succeeds().text())
          .isEqualTo(run(command + " @/one/deep/acts").text());
    }
    run("convert @/one @/asked --to pickle --from saev").succeeds();
  }

  @Test
  void aFileOfAnotherKindIsNamedWhateverItsNameIs() {
    run("inspect @/torch.safetensors")
        .failsWithText("HeaderTooLarge: ", "; it looks like a torch file");
  }

  @Test
  void theOnlyDatasetOfARootOfSaevIsFound() {
    assertThat(run("inspect @/root").succeeds().stderr())
        .contains("note: reading " + folder + "/root/saev/shards/acts, the only dataset found in ");
  }

  @Test
  void anotherStorageIsSearchedToo() {
    Configuration conf = FaultyFileSystem.conf();
    String here = FaultyFileSystem.path(folder).toString();
    assertThat(Cli.run(conf, "inspect", here + "/one").succeeds().stderr())
        .contains(
            "note: reading " + here + "/one/deep/acts, the only dataset found in " + here + "/one");
    Cli.run(conf, "inspect", here + "/savv")
        .failsWithText("(expected a dataset; " + here + " has no savv, but saev)");
    Cli.run(conf, "inspect", here + "/saev/metadata.json")
        .failsWithText("is a part of a saev dataset (expected its folder: " + here + "/saev)");
  }

  @Test
  void severalDatasetsAreListedWithTheCommandForEach() {
    Cli cli = run("convert @/several @/out --to pickle");
    assertThat(cli.exitCode()).isEqualTo(1);
    String expected =
        """
        @/several: contains 2 datasets, but is not one itself (expected one of them)
            saev-hadoop convert @/several/run/acts @/out/run/acts --to pickle
            saev-hadoop convert '@/several/x y/acts' '@/out/x y/acts' --to pickle
        """;
    assertThat(cli.stderr()).isEqualTo(expected.replace("@", folder.toString()));
  }

  @Test
  void atMostAThousandAreListed() throws IOException {
    Path many = Files.createDirectory(folder.resolve("many"));
    for (int i = 0; i < 1003; i++) {
      Files.createFile(Files.createDirectory(many.resolve("d" + i)).resolve("x.safetensors"));
    }
    Cli cli = run("inspect @/many");
    assertThat(cli.stderr().lines()).hasSize(1002);
    assertThat(cli.stderr()).contains("contains 1003 datasets").endsWith("    ... and 3 more\n");
  }

  /** What looks like a mistake and is a dataset. */
  @ParameterizedTest
  @MethodSource("legal")
  void aFileThatIsADatasetIsRead(String path, String format) {
    Cli cli = run("inspect @/" + path).succeeds();
    assertThat(cli.stderr()).matches("note: verify checks it\nnext: saev-hadoop verify .*\n");
    assertThat(cli.text()).startsWith("format").contains(" " + format + "\n");
  }

  static Stream<Object[]> legal() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("kv"))) {
      Path part = files.filter(file -> file.toString().endsWith(".safetensors")).findAny().get();
      return Map.of(
              "kv/" + part.getFileName(),
              "safetensors",
              "pickle/shard_0001.pkl.gz",
              "pickle",
              "unnamed",
              "samediff")
          .entrySet()
          .stream()
          .map(entry -> new Object[] {entry.getKey(), entry.getValue()});
    }
  }
}
