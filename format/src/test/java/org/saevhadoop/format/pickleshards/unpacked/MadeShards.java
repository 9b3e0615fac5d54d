package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.gzip.Gz;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.projection.ProjectionRequest;
import org.saevhadoop.format.tensor.DType;

/** Pickled shards as tests make them, and unpack them. */
final class MadeShards {
  /** One array of a shard. */
  record Array(int layer, long id, DType type, List<Long> shape, byte[] bytes) {
    static Array of(int layer, long id, DType type, int fill, long... shape) {
      long bytes = type.bits() / 8;
      List<Long> sizes = new ArrayList<>();
      for (long size : shape) {
        bytes *= size;
        sizes.add(size);
      }
      byte[] data = new byte[(int) bytes];
      for (int i = 0; i < data.length; i++) {
        data[i] = (byte) (fill + i);
      }
      return new Array(layer, id, type, sizes, data);
    }

    static Array floats(int layer, long id, long... shape) {
      return of(layer, id, DType.F32, (int) (id * 31 + layer), shape);
    }

    long tokens() {
      return shape.stream().limit(Math.max(0, shape.size() - 1)).reduce(1L, (a, b) -> a * b);
    }
  }

  private MadeShards() {}

  /** A pickle with the layers in the order in which the arrays first name them. */
  static byte[] pickle(int protocol, Form dialect, List<Array> arrays) throws IOException {
    Map<Integer, List<Array>> layers = new LinkedHashMap<>();
    for (Array array : arrays) {
      layers.computeIfAbsent(array.layer, n -> new ArrayList<>()).add(array);
    }
    MemoryOutput out = new MemoryOutput("made");
    ShardPickler pickler = new ShardPickler("made", out::write, protocol, dialect);
    for (Map.Entry<Integer, List<Array>> layer : layers.entrySet()) {
      pickler.beginLayer(layer.getKey());
      for (Array array : layer.getValue()) {
        long[] shape = array.shape.stream().mapToLong(Long::longValue).toArray();
        PythonValue.Dict metadata = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
        metadata.append("tokens", array.tokens());
        pickler.sample(array.id, metadata, array.type, shape, ByteBuffer.wrap(array.bytes));
      }
      pickler.endLayer();
    }
    pickler.end();
    return out.bytes();
  }

  /** Writes a shard; compressed where its name says so. */
  static Path write(Path path, Array... arrays) throws IOException {
    return write(path, pickle(4, Form.SPEC, List.of(arrays)));
  }

  static Path write(Path path, byte[] pickle) throws IOException {
    Files.createDirectories(path.getParent());
    return Files.write(path, path.toString().endsWith(".gz") ? Gz.member(pickle) : pickle);
  }

  static UnpackOptions ragged(String how) {
    return new UnpackOptions(RaggedPolicy.parse(how), false, false, false);
  }

  /** Unpacks the shards of a folder into another one. */
  static UnpackedDataset unpack(Path dataset, Folder target, Path local, UnpackOptions options)
      throws IOException {
    return unpack(dataset, target, local, options, ProjectionRequest.EVERYTHING);
  }

  /** Unpacks what is asked for, in two passes where examples are chosen. */
  static UnpackedDataset unpack(
      Path dataset, Folder target, Path local, UnpackOptions options, ProjectionRequest request)
      throws IOException {
    ShardFiles files = ShardFiles.of(new LocalFolder(dataset));
    return unpack(dataset, files.parts(options.joinHalves()), target, local, options, request);
  }

  /** Unpacks what is asked for of the shards of some parts. */
  static UnpackedDataset unpack(
      Path dataset,
      List<List<ShardFile>> parts,
      Folder target,
      Path local,
      UnpackOptions options,
      ProjectionRequest request)
      throws IOException {
    Folder source = new LocalFolder(dataset);
    ShardFiles files = ShardFiles.of(source);
    ManifestClaims promises = ManifestClaims.of(files);
    promises.checkFiles();
    BlockChoice first =
        request.choosesExamples() ? BlockChoice.NOTHING : new BlockChoice(request, null);
    for (int i = 0; i < parts.size(); i++) {
      unpack(parts.get(i), new ShardUnpacker(i, options, first, target, local));
    }
    ShardJoin join = new ShardJoin(target, source, promises, parts.size(), options, request);
    for (int i : request.choosesExamples() ? join.choose() : List.<Integer>of()) {
      Path again = Files.createTempDirectory(local, "again");
      BlockChoice choice = new BlockChoice(request, ShardJoin.chosen(target, i));
      Folder folder = new LocalFolder(again);
      unpack(parts.get(i), new ShardUnpacker(i, options, choice, folder, local));
      for (String name : folder.files().keySet()) {
        Path to = Path.of(target.path()).resolve(name);
        Files.move(again.resolve(name), to, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.delete(again);
    }
    join.write(source.path(), Provenance.NONE.with("a", "b"));
    return UnpackedDataset.open(target, path -> new LocalFolder(Path.of(path)));
  }

  private static void unpack(List<ShardFile> part, ShardUnpacker unpacker) throws IOException {
    List<ShardUnpacker.Packed> packed = new ArrayList<>();
    try {
      for (ShardFile shard : part) {
        packed.add(new ShardUnpacker.Packed(shard.relativePath(), shard.open(), false));
      }
      unpacker.run(packed);
    } finally {
      for (ShardUnpacker.Packed shard : packed) {
        shard.file().close();
      }
    }
  }
}
