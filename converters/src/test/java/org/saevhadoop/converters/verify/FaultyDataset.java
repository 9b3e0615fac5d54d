package org.saevhadoop.converters.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;

/**
 * A dataset of 6 examples of 2 layers, 4 tokens and 6 dims in a form, in which faults are planted:
 * those of values in SAEV shards, before these are converted, those of files afterwards.
 */
record FaultyDataset(Path path) {
  static final List<String> FORMS =
      List.of(
          "saev",
          "safetensors",
          "kv",
          "model",
          "pickle",
          "sdnb",
          "sdz",
          "deflated",
          "npy",
          "own-npy",
          "npz",
          "torch");

  private static final NaiveActivations SOUND =
      new NaiveActivations(6, List.of(3, 7), 4, 6, true, false);

  private static final int SHARD_EXAMPLES = 2;

  /**
   * Writes a dataset with faults to a folder.
   *
   * @param sound datasets without faults by their forms, to which a missing one is added
   */
  static FaultyDataset of(
      String form, Map<String, FaultyDataset> sound, Path folder, String... faults)
      throws IOException {
    if (Arrays.stream(faults).anyMatch(FaultyDataset::isOfValues)) {
      return written(form, folder, faults).plantInFiles(faults);
    }
    if (!sound.containsKey(form)) {
      Path place = Files.createTempDirectory(folder.getParent(), form);
      sound.put(form, written(form, place));
    }
    return sound.get(form).copy(folder).plantInFiles(faults);
  }

  private static FaultyDataset written(String form, Path folder, String... faults)
      throws IOException {
    Path saev = SOUND.writeSaev(folder);
    for (String fault : faults) {
      plantValues(saev, fault.split(" "));
    }
    return new FaultyDataset(convert(saev, form, folder));
  }

  private FaultyDataset copy(Path folder) throws IOException {
    Path to = folder.resolve(path.getFileName());
    Files.copy(path, to);
    if (Files.isDirectory(path)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
        for (Path file : files) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
    return new FaultyDataset(to);
  }

  private static boolean isOfValues(String fault) {
    return fault.matches("\\w+ \\d.*");
  }

  private FaultyDataset plantInFiles(String... faults) throws IOException {
    for (String fault : faults) {
      plantInFile(fault.split(" ", 4));
    }
    return this;
  }

  private static Path convert(Path saev, String form, Path folder) throws IOException {
    Path out = folder.resolve("out");
    return switch (form) {
      case "saev" -> saev;
      case "spec" -> Fixtures.pickle(form);
      case "shards" -> Fixtures.saev("shards/64988989");
      case "safetensors", "model", "own-npy", "npz", "torch" -> {
        Path batch = Cli.convert(saev, out, "safetensors --batch-size 3").succeeds().lastLinePath();
        yield form.equals("safetensors") ? batch : own(batch, form, folder);
      }
      case "kv" -> Cli.convert(saev, out, "safetensors --kv").succeeds().lastLinePath();
      case "pickle" -> Cli.convert(saev, out, "pickle").succeeds().lastLinePath();
      case "sdnb" -> Cli.convert(saev, out, "samediff").succeeds().lastLinePath();
      case "sharded" ->
          Cli.convert(saev, out, "samediff --max-shard-bytes 300").succeeds().lastLinePath();
      case "sdz" -> Cli.convert(saev, out, "samediff --container sdz").succeeds().lastLinePath();
      case "deflated" ->
          Cli.convert(saev, out, "samediff --container sdz --deflate").succeeds().lastLinePath();
      case "npy" -> Cli.convert(saev, out, "npy").succeeds().lastLinePath();
      default -> throw new IllegalArgumentException(form);
    };
  }

  private static Path own(Path batch, String form, Path folder) throws IOException {
    var layers = NaiveTensors.batches(batch);
    return switch (form) {
      case "own-npy" -> OwnArrays.npy(layers, folder.resolve("own"));
      case "npz" -> OwnArrays.npz(layers, folder.resolve("own.npz"));
      case "torch" -> OwnArrays.torch(layers, folder.resolve("own.pt"));
      default -> Files.copy(NaiveTensors.parts(batch).get(0), folder.resolve("one.safetensors"));
    };
  }

  /** Changes values; the words are a fault and the example, the layer and the token. */
  private static void plantValues(Path saev, String[] words) throws IOException {
    switch (words[0]) {
      case "nan" -> put(saev, words, Float.NaN, 5);
      case "inf" -> put(saev, words, Float.NEGATIVE_INFINITY, 2);
      case "zero" -> fill(saev, words, number(words[3]), 0);
      case "zeros" -> {
        for (int token = 0; token < SOUND.tokens(); token++) {
          fill(saev, words, token, 0);
        }
      }
      case "constant" -> fill(saev, words, number(words[3]), -1.5f);
      case "copy" -> {
        byte[] vector = SOUND.vector(number(words[4]), number(words[2]), number(words[5]));
        write(saev, words, number(words[3]), vector);
      }
      default -> {
        // a fault of a file
      }
    }
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }

  private static void put(Path saev, String[] words, float value, int dim) throws IOException {
    byte[] vector = SOUND.vector(number(words[1]), number(words[2]), number(words[3]));
    ByteBuffer.wrap(vector).order(ByteOrder.LITTLE_ENDIAN).putFloat(dim * Float.BYTES, value);
    write(saev, words, number(words[3]), vector);
  }

  private static void fill(Path saev, String[] words, int token, float value) throws IOException {
    ByteBuffer vector =
        ByteBuffer.allocate(SOUND.dim() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    while (vector.hasRemaining()) {
      vector.putFloat(value);
    }
    write(saev, words, token, vector.array());
  }

  private static void write(Path saev, String[] words, int token, byte[] vector)
      throws IOException {
    int example = number(words[1]);
    int layer = SOUND.layers().indexOf(number(words[2]));
    Path file = saev.resolve("acts%06d.bin".formatted(example / SHARD_EXAMPLES));
    int block = example % SHARD_EXAMPLES * SOUND.layers().size() + layer;
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(
        vector, 0, bytes, (block * SOUND.tokens() + token) * vector.length, vector.length);
    Files.write(file, bytes);
  }

  /** Changes a file; the words are a fault, the name of the file, and what the fault needs. */
  private void plantInFile(String[] words) throws IOException {
    if (words[0].equals("sums")) {
      Cli.run("digest", path, "--save").succeeds();
      return;
    }
    if (isOfValues(String.join(" ", words))) {
      return;
    }
    Path file = words[0].equals("add") ? path.resolve(words[1]) : file(words[1]);
    byte[] bytes = words[0].equals("add") ? new byte[0] : Files.readAllBytes(file);
    switch (words[0]) {
      case "add" -> Files.write(file, new byte[64]);
      case "delete" -> Files.delete(file);
      case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - number(words[2])));
      case "flip" -> {
        int at = number(words[2]);
        bytes[at < 0 ? bytes.length + at : at] ^= 0x10;
        Files.write(file, bytes);
      }
      case "replace" -> {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        String changed = text.replaceFirst(words[2], words[3]);
        if (changed.equals(text)) {
          throw new AssertionError(words[2] + " is not in " + text);
        }
        Files.write(file, changed.getBytes(StandardCharsets.ISO_8859_1));
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  /** Returns the first file of a name, which may contain an asterisk; a dot is the dataset. */
  private Path file(String name) throws IOException {
    if (name.equals(".")) {
      return path;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, name)) {
      Path first = null;
      for (Path file : files) {
        first = first == null || file.compareTo(first) < 0 ? file : first;
      }
      if (first == null) {
        throw new AssertionError("no file " + name + " in " + path);
      }
      return first;
    }
  }
}
