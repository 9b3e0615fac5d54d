package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.Tasks.Read;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.InputKeys;

/** Records of safetensors that are no float32 activations. */
class TableInputTest {
  @TempDir Path folder;
  private final Configuration conf = new Configuration(false);

  @Test
  void columnsOfAnyTypesAreRecordsAsTheyAreStored() throws Exception {
    write(
        new TensorSpec("a", DType.F64, List.of(3L, 2L)),
        new TensorSpec("b", DType.F4, List.of(3L, 2L, 3L)),
        new TensorSpec("c", DType.BOOL, List.of(3L)));
    assertFails(DatasetError.NO_ACTIVATIONS, folder, this::read);
    conf.set(InputKeys.RECORD.name(), "block");
    List<Read> records = read();
    assertThat(records).hasSize(9);
    assertThat(records.get(4).key()).isEqualTo(new ActivationKey(1, 1, 0));
    assertThat(records.get(4).value())
        .hasToString("float4_e2m1fn[2, 3]")
        .extracting(value -> value.bytes().remaining())
        .isEqualTo(3);
    assertThat(records.get(4).value().bytes().get()).isEqualTo((byte) (48 + 3));
    assertThat(records.get(8).value()).hasToString("bool[]");
    conf.set(InputKeys.ORDER.name(), "layer");
    conf.set(InputKeys.GROUP.name(), "2");
    assertThat(read().stream().map(r -> r.key().example() + "." + r.key().layer()))
        .containsExactly("0.0", "1.0", "0.1", "1.1", "0.2", "1.2", "2.0", "2.1", "2.2");
    conf.set(InputKeys.LIMIT.name(), "1");
    assertThat(read()).hasSize(3);
    conf.set(InputKeys.LAYERS.name(), "2,0");
    assertFails(DatasetError.NO_ACTIVATIONS, "x.safetensors", this::read);
  }

  @Test
  void halvesBecomeFloatsUnlessTheyAreAskedForAsStored() throws Exception {
    write(new TensorSpec("layer_3", DType.F16, List.of(2L, 1L, 2L)));
    assertThat(read().get(0).value()).hasToString("float32[1, 1, 2]");
    assertThat(read().get(0).value().toFloats()[0]).isEqualTo(0x100 * 0x1p-24f);
    conf.set(InputKeys.DTYPE.name(), "stored");
    ActivationWritable stored = read().get(0).value();
    assertThat(stored).hasToString("float16[1, 1, 2]");
    assertThatThrownBy(stored::toFloats)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the record is F16 (expected F32: see saev.input.dtype)");
    conf.set(InputKeys.DTYPE.name(), "float64");
    assertThat(read().get(0).value().bytes().getDouble()).isEqualTo(0x100 * 0x1p-24);
  }

  @Test
  void doublesBecomeFloatsOnlyIfAskedFor() throws Exception {
    write(new TensorSpec("acts", DType.F64, List.of(2L, 2L, 1L, 2L)));
    assertFails(DatasetError.NOT_CONVERTIBLE, folder, this::read);
    conf.set(InputKeys.DTYPE.name(), "F32");
    assertThat(read().get(1).value()).hasToString("float32[2, 1, 2]");
  }

  @Test
  void aWholeExampleHasNumbersOfOneType() throws Exception {
    write(new TensorSpec("acts", DType.F32, List.of(2L, 2L, 1L, 2L)));
    conf.set(InputKeys.DTYPE.name(), "layer_1=F64");
    assertFails(DatasetError.NOT_CONVERTIBLE, folder, this::read);
    conf.set(InputKeys.RECORD.name(), "block");
    assertThat(read().stream().map(r -> r.value().toString()))
        .containsExactly("float32[1, 2]", "float64[1, 2]", "float32[1, 2]", "float64[1, 2]");
  }

  @Test
  void mappedTensorsAreVectorsOfTheLayersThatTheUserNamed() throws Exception {
    write(
        new TensorSpec("h", DType.F32, List.of(2L, 2L, 3L)),
        new TensorSpec("other", DType.I64, List.of(2L)));
    conf.set(ArrayKeys.TENSORS.name(), " h=example,layer:7+4,dim ; ");
    conf.set(InputKeys.RECORD.name(), "vector");
    assertThat(read().stream().map(r -> r.key() + " " + r.value()))
        .containsExactly(
            "example 0 layer 7 token 0 float32[3]",
            "example 0 layer 4 token 0 float32[3]",
            "example 1 layer 7 token 0 float32[3]",
            "example 1 layer 4 token 0 float32[3]");
  }

  @Test
  void dimensionsThatNoRecordHasAreRefused() throws Exception {
    write(
        new TensorSpec("x", DType.F32, List.of(2L, 0L, 1L << 31)),
        new TensorSpec("y", DType.F32, List.of(2L, 0L)));
    conf.set(InputKeys.RECORD.name(), "block");
    assertFails(DatasetError.TOO_LARGE, folder, this::read);
  }

  @Test
  void columnsWithoutBytesAreRecordsAllTheSame() throws Exception {
    write(
        new TensorSpec("x", DType.F32, List.of(300L, 0L, 7L)),
        new TensorSpec("y", DType.U8, List.of(300L, 0L)));
    conf.set(InputKeys.RECORD.name(), "block");
    assertThat(read()).hasSize(600).allMatch(r -> r.value().bytes().remaining() == 0);
  }

  /** Files whose data count the bytes from 0 on. */
  private void write(TensorSpec... specs) throws IOException {
    int length = (int) SafetensorsHeader.encode(List.of(specs), null).dataBytes();
    ByteBuffer data = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i++) {
      data.put(i, (byte) i);
    }
    SafetensorsFiles.write(folder.resolve("x.safetensors"), null, List.of(specs), data);
  }

  private List<Read> read() throws IOException, InterruptedException {
    return Tasks.readAll(new SafetensorsInputFormat(), folder, conf);
  }
}
