package org.saevhadoop.converters.sharedoptions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.saevhadoop.converters.projection.NaiveActivations;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.converters.sharedoptions.Activations.Token;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.samediff.JavaZip;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.torch.file.TorchFile;
import org.saevhadoop.format.torch.file.TorchPickle;

/** Writes activations in each form. */
final class Sources {
  static final List<String> INTEGERS = List.of("token_ids", "attention_mask", "loss_mask");

  private Sources() {}

  // SAEV

  static Path saev(Activations a, Path folder) throws IOException {
    int n = a.examples().size();
    Path dataset =
        new NaiveActivations(n, a.layers(), a.tokens(), a.dim(), true, false).writeSaev(folder);
    int perShard = Math.max(2, n / 5);
    int exampleBytes = a.acts().length / n;
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (int first = 0; first < n; first += perShard) {
      List<List<Token>> examples = a.examples().subList(first, Math.min(n, first + perShard));
      byte[] acts = new Activations(a.type(), a.layers(), a.dim(), examples, true).acts();
      ByteBuffer shard = ByteBuffer.allocate(perShard * exampleBytes).put(acts);
      Files.write(dataset.resolve("acts%06d.bin".formatted(first / perShard)), shard.array());
      examples.forEach(example -> example.stream().skip(1).forEach(t -> labels.write(label(t))));
    }
    Files.write(dataset.resolve("labels.bin"), labels.toByteArray());
    return dataset;
  }

  static byte label(Token token) {
    return (byte) (token.example() * 31 + token.token() * 7 + 3);
  }

  // safetensors

  private static Found layer(Activations a, int layer) {
    List<Long> shape = List.of((long) a.examples().size(), (long) a.tokens(), (long) a.dim());
    return Found.of(a.type().name(), shape, a.layer(layer));
  }

  static Path batches(Activations a, Path folder) throws IOException {
    int n = a.examples().size();
    List<String> shards = new ArrayList<>();
    long bytes = 0;
    for (int first = 0; first < n; first += 4) {
      Activations batch = a.selectExamples(range(first, Math.min(n, first + 4)));
      Map<String, Found> tensors = new LinkedHashMap<>();
      batch.layers().forEach(layer -> tensors.put("layer_" + layer, layer(batch, layer)));
      String name = "part-0000%d-0000-x.safetensors".formatted(first / 4);
      NaiveTensors.write(folder.resolve(name), tensors);
      long length = Files.size(folder.resolve(name));
      bytes += length;
      shards.add(
          "{\"shard_path\":\"%s\",\"samples_count\":%d,\"bytes\":%d}"
              .formatted(name, batch.examples().size(), length));
    }
    Files.writeString(
        folder.resolve("dataset_manifest.json"),
        """
        {"format_version":"1.0","safetensors_version":"1.0","total_samples":%d,"total_bytes":%d,\
        "shards":%s}"""
            .formatted(n, bytes, shards));
    return folder;
  }

  private static List<Integer> range(int start, int stop) {
    return java.util.stream.IntStream.range(start, stop).boxed().toList();
  }

  static Path keys(Activations a, Path folder) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    List<Long> shape = List.of((long) a.tokens(), (long) a.dim());
    for (int e = 0; e < a.examples().size(); e++) {
      for (int layer : a.layers()) {
        byte[] block = a.block(a.examples().get(e), layer);
        tensors.put(e + "__layer_" + layer, Found.of(a.type().name(), shape, block));
      }
    }
    return write(folder.resolve("keys.safetensors"), tensors);
  }

  private static Path write(Path file, Map<String, Found> tensors) throws IOException {
    NaiveTensors.write(file, tensors);
    return file;
  }

  static Path acts(Activations a, Path folder) throws IOException {
    return write(
        folder.resolve("acts.safetensors"),
        Map.of("acts", Found.of(a.type().name(), longs(shape(a)), a.acts())));
  }

  static Path requests(Activations a, Path folder) throws IOException {
    for (int e = 0; e < a.examples().size(); e++) {
      List<Token> example = a.examples().get(e);
      ByteArrayOutputStream values = new ByteArrayOutputStream();
      for (Token token : example) {
        a.layers().forEach(layer -> values.writeBytes(a.vector(token, layer)));
      }
      long tokens = example.size();
      List<Long> shape = List.of(tokens, (long) a.layers().size(), (long) a.dim());
      Map<String, Found> tensors = new LinkedHashMap<>();
      byte[] ids = int64(a.selectExamples(List.of(e)).integers("token_ids"));
      tensors.put("token_ids", Found.of("I64", List.of(tokens), ids));
      tensors.put("hidden_states", Found.of(a.type().name(), shape, values.toByteArray()));
      NaiveTensors.write(folder.resolve("hs_" + (8 + e) + ".safetensors"), tensors);
    }
    return folder;
  }

  static Path hooks(Activations a, Path folder) throws IOException {
    Map<String, Found> tensors = new LinkedHashMap<>();
    for (String name : INTEGERS) {
      List<Long> shape = List.of((long) a.examples().size(), (long) a.tokens());
      tensors.put(name, Found.of("I64", shape, int64(a.integers(name))));
    }
    a.layers().forEach(l -> tensors.put("blocks.%d.hook_resid_post".formatted(l), layer(a, l)));
    return write(folder.resolve("run.safetensors"), tensors);
  }

  private static byte[] int64(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  // numpy

  private static long[] shape(Activations a) {
    return new long[] {a.examples().size(), a.layers().size(), a.tokens(), a.dim()};
  }

  private static List<Long> longs(long... values) {
    return java.util.stream.LongStream.of(values).boxed().toList();
  }

  static byte[] npy(String descr, byte[] values, long... shape) {
    String text =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }"
            .formatted(descr, longs(shape).toString().replaceAll("[\\[\\]]", ""));
    String padded = text + " ".repeat(63 - (10 + text.length()) % 64) + "\n";
    ByteBuffer file = ByteBuffer.allocate(10 + padded.length() + values.length);
    file.order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.putShort((short) padded.length()).put(padded.getBytes(StandardCharsets.US_ASCII));
    return file.put(values).array();
  }

  static Path npy(Activations a, Path folder) throws IOException {
    return Files.write(folder.resolve("acts.npy"), npy(a.type().descr, a.acts(), shape(a)));
  }

  static Map<String, byte[]> npyOfLayers(Activations a) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    long[] shape = {a.examples().size(), a.tokens(), a.dim()};
    for (int layer : a.layers()) {
      files.put("layer_" + layer + ".npy", npy(a.type().descr, a.layer(layer), shape));
    }
    return files;
  }

  static Path npyLayers(Activations a, Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : npyOfLayers(a).entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    return folder;
  }

  static Path npyTurned(Activations a, Path folder) throws IOException {
    ByteBuffer values = ByteBuffer.allocate(a.acts().length); // big-endian
    for (int i = 0; i < a.dim(); i++) {
      for (int t = 0; t < a.tokens(); t++) {
        for (int l = 0; l < a.layers().size(); l++) {
          for (List<Token> example : a.examples()) {
            a.type().put(values, example.get(t).vectors().get(l)[i]);
          }
        }
      }
    }
    long[] shape = {a.dim(), a.tokens(), a.layers().size(), a.examples().size()};
    String descr = a.type().descr.replace('<', '>');
    return Files.write(folder.resolve("turned.npy"), npy(descr, values.array(), shape));
  }

  static Path npz(Activations a, Path folder) throws IOException {
    return zip(folder.resolve("acts.npz"), npyOfLayers(a), Deflater.NO_COMPRESSION);
  }

  static Path npzDeflated(Activations a, Path folder) throws IOException {
    Map<String, byte[]> files = npyOfLayers(a);
    for (String name : INTEGERS) {
      byte[] values = int64(a.integers(name));
      files.put(name + ".npy", npy("<i8", values, a.examples().size(), a.tokens()));
    }
    return zip(folder.resolve("acts.npz"), files, Deflater.DEFAULT_COMPRESSION);
  }

  static Path zip(Path file, Map<String, byte[]> entries, int level) throws IOException {
    if (level == Deflater.NO_COMPRESSION) {
      JavaZip zip = new JavaZip();
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.stored(entry.getKey(), entry.getValue());
      }
      return Files.write(file, zip.bytes());
    }
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return file;
  }

  static Path memmap(Activations a, Path folder) throws IOException {
    for (int layer : a.layers()) {
      Path hook = Files.createDirectories(folder.resolve("layer_%d_out".formatted(layer)));
      for (int first = 0; first < a.examples().size(); first += 4) {
        Activations part = a.selectExamples(range(first, Math.min(a.examples().size(), first + 4)));
        String name = "shard_" + first / 4;
        Files.write(hook.resolve(name + ".memmap"), part.layer(layer));
        Files.writeString(
            hook.resolve(name + ".meta"),
            "{\"shape\": [%d, %d], \"dtype\": \"%s\"}"
                .formatted(part.vectors(), a.dim(), a.type().numpy));
      }
    }
    return folder;
  }

  // torch

  static Path torch(Activations a, Path folder) throws IOException {
    return torch(a, folder, List.of());
  }

  static Path torchMasks(Activations a, Path folder) throws IOException {
    return torch(a, folder, INTEGERS);
  }

  private static Path torch(Activations a, Path folder, List<String> integers) throws IOException {
    List<String> items = new ArrayList<>();
    List<byte[]> storages = new ArrayList<>();
    long n = a.examples().size();
    long tokens = a.tokens();
    for (int layer : a.layers()) {
      String key = Integer.toString(storages.size());
      long count = n * tokens * a.dim();
      String storage =
          TorchPickle.storage(TorchPickle.torch(a.type().torch + "Storage"), key, count);
      items.add(TorchPickle.text("layer_" + layer));
      long[] strides = {tokens * a.dim(), a.dim(), 1};
      items.add(TorchPickle.tensor(storage, 0, new long[] {n, tokens, a.dim()}, strides));
      storages.add(a.layer(layer));
    }
    for (String name : integers) {
      String key = Integer.toString(storages.size());
      String storage = TorchPickle.storage(TorchPickle.torch("LongStorage"), key, n * tokens);
      items.add(TorchPickle.text(name));
      items.add(TorchPickle.tensor(storage, 0, new long[] {n, tokens}, new long[] {tokens, 1}));
      storages.add(int64(a.integers(name)));
    }
    TorchFile torch = TorchFile.of(TorchPickle.dict(items.toArray(String[]::new)));
    for (int i = 0; i < storages.size(); i++) {
      torch.storage(Integer.toString(i), storages.get(i));
    }
    return Files.write(folder.resolve("acts.pt"), torch.bytes());
  }

  // SameDiff

  private static ForeignContainer container(Activations a) {
    ForeignContainer container = new ForeignContainer();
    for (int layer : a.layers()) {
      container.array(
          "layer_" + layer,
          a.type().sameDiff,
          Storage.APPENDED,
          'c',
          a.layer(layer),
          a.examples().size(),
          a.tokens(),
          a.dim());
    }
    return container;
  }

  static Path sdnb(Activations a, Path folder) throws IOException {
    return container(a).write(folder.resolve("acts.sdnb"));
  }

  static Path sdnbActs(Activations a, Path folder) throws IOException {
    return new ForeignContainer()
        .array("x", a.type().sameDiff, Storage.APPENDED, 'f', a.acts(), shape(a))
        .write(folder.resolve("x.sdnb"));
  }

  static Path sdz(Activations a, Path folder) throws IOException {
    Map<String, byte[]> entries = Map.of("model", container(a).bytes());
    return zip(folder.resolve("acts.sdz"), entries, Deflater.NO_COMPRESSION);
  }

  static Path sdzDeflated(Activations a, Path folder) throws IOException {
    Map<String, byte[]> entries = Map.of("model", container(a).bytes());
    return zip(folder.resolve("acts.sdz"), entries, Deflater.DEFAULT_COMPRESSION);
  }

  // pickle

  static Path pickle(Activations a, Path folder) throws IOException {
    int n = a.examples().size();
    pickle(a, 0, 3, a.dim(), folder.resolve("shard_0001.pkl.gz"), 0, 0);
    pickle(a, 3, n, a.dim(), folder.resolve("shard_0002.pkl.gz"), 0, 0);
    return folder;
  }

  static Path pickleHalves(Activations a, Path folder) throws IOException {
    int n = a.examples().size();
    for (int host = 0; host < 2; host++) {
      Path hosts = folder.resolve("host_" + host);
      int half = a.dim() / 2;
      pickle(a, 0, 3, half, hosts.resolve("shard_0001.pkl.gz"), host * half, 0);
      pickle(a, 3, n, half, hosts.resolve("shard_0002.pkl.gz"), host * half, 0);
    }
    return folder;
  }

  private static void pickle(
      Activations a, int first, int end, int width, Path file, int firstDim, int firstId)
      throws IOException {
    MemoryOutput out = new MemoryOutput("shard");
    ShardPickler pickler = new ShardPickler("shard", out::write, 4, Form.REAL);
    DType type = DType.valueOf(a.type().name());
    for (int layer : a.layers()) {
      pickler.beginLayer(layer);
      for (int e = first; e < end; e++) {
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        for (Token token : a.examples().get(e)) {
          byte[] vector = a.vector(token, layer);
          values.write(vector, firstDim * a.type().width, width * a.type().width);
        }
        long[] shape = {a.examples().get(e).size(), width};
        pickler.sample(firstId + e, null, type, shape, ByteBuffer.wrap(values.toByteArray()));
      }
      pickler.endLayer();
    }
    pickler.end();
    Files.createDirectories(file.getParent());
    Files.write(file, Gz.member(out.bytes()));
  }
}
