package org.saevhadoop.converters.sharedoptions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.tensor.DType;

/** Writes activations as scripts leave them: values alone, arrays in a row, and pickles. */
final class LooseSources {
  private LooseSources() {}

  static Path raw(Activations a, Path folder) throws IOException {
    return Files.write(folder.resolve("acts.bin"), a.acts());
  }

  static Path npySequence(Activations a, Path folder) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Sources.npyOfLayers(a).values().forEach(file::writeBytes);
    return Files.write(folder.resolve("acts.npy"), file.toByteArray());
  }

  static Path pickledArrays(Activations a, Path folder) throws IOException {
    MemoryOutput out = new MemoryOutput("pickle");
    PickleWriter pickle = new PickleWriter("pickle", 4, out::write);
    pickle.beginDict(PythonValue.Dict.Kind.DICT);
    long[] shape = {a.examples().size(), a.tokens(), a.dim()};
    for (int layer : a.layers()) {
      pickle.key("layer_" + layer);
      DType type = DType.valueOf(a.type().name());
      pickle.array(type, shape, ByteBuffer.wrap(a.layer(layer)));
    }
    pickle.endDict();
    pickle.end();
    return Files.write(folder.resolve("acts.pkl"), out.bytes());
  }

  static Path parquetRows(Activations a, Path folder) throws IOException {
    return parquet(a, folder, "vector");
  }

  static Path parquetExamples(Activations a, Path folder) throws IOException {
    return parquet(a, folder, "example");
  }

  private static Path parquet(Activations a, Path folder, String unit) throws IOException {
    Path npy = Sources.npyLayers(a, Files.createDirectories(folder.resolve("npy")));
    boolean isNamed = a.type() != StoredType.BF16;
    Object[] stored = isNamed ? new Object[0] : new Object[] {"--dtype-stored=BF16"};
    return Cli.convert(
            npy,
            folder.resolve("rows"),
            "parquet --vector-type bits --max-parquet-bytes 300 --unit " + unit,
            stored)
        .succeeds()
        .lastLinePath();
  }

  static Path npyAndTorch(Activations a, Path folder) throws IOException {
    Sources.torch(a.selectLayers(a.layers().subList(0, 1)), folder);
    return Sources.npyLayers(a, folder);
  }
}
