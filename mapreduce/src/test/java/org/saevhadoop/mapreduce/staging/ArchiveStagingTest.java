package org.saevhadoop.mapreduce.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.saevhadoop.format.io.ErrorAssertions.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.arrays.file.ArrayError;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.storage.LocalPath;
import org.saevhadoop.format.storage.LocalRunStorage;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.Tasks;
import org.saevhadoop.mapreduce.input.DatasetInputFormat;
import org.saevhadoop.mapreduce.job.InputKeys;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.job.InputSpec.SourceReference;
import org.saevhadoop.mapreduce.job.OutputKeys.Sync;

/** Compressed .npz files, staged and read by a job. */
class ArchiveStagingTest {
  @TempDir Path folder;
  private final Configuration conf = new Configuration(false);
  private final DatasetFormat npy = DatasetFormats.registry().named("npy").orElseThrow();
  private final TasksByHand tasks = new TasksByHand(conf);
  private final List<String> messages = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** Writes arrays [tokens, 2], whose values count from a number on. */
  private void write(String file, int tokens, float from, String... arrays) throws IOException {
    Path path = folder.resolve("own data").resolve(file);
    Files.createDirectories(path.getParent());
    ByteBuffer values = ByteBuffer.allocate(tokens * 2 * Float.BYTES);
    for (int i = 0; i < tokens * 2; i++) {
      values.order(ByteOrder.LITTLE_ENDIAN).putFloat(from + i);
    }
    ByteArrayOutputStream npz = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(npz)) {
      for (String array : arrays) {
        zip.putNextEntry(new ZipEntry(array + ".npy"));
        NumpyType type = NumpyType.of(DType.F32).orElseThrow();
        zip.write(NpyHeader.encode(file, type, false, List.of((long) tokens, 2L)));
        zip.write(values.array());
      }
    }
    Files.write(path, npz.toByteArray());
  }

  private static Settings settings(String tensor, String files, String ragged) {
    Settings settings = Settings.NONE.withText(ArrayKeys.TENSORS, tensor, "--tensor");
    return (files.isEmpty() ? settings : settings.withText(ArrayKeys.FILES, files, "--files"))
        .withText(ArrayKeys.RAGGED, ragged, "--ragged");
  }

  private StoragePath source() {
    return new LocalPath(folder.resolve("own data"));
  }

  private ActivationDataset stage(Settings asked) throws Exception {
    InputSpec spec = InputSpec.of(asked, npy.readingKeys());
    Path target = Files.createDirectories(folder.resolve("staged"));
    return new StreamStaging(
            npy,
            source(),
            new LocalPath(target),
            new LocalRunStorage(false),
            Sync.NEVER,
            tasks,
            messages::add,
            warnings::add)
        .stage(spec.format(), spec.projection())
        .requireActivations();
  }

  /** The first values of the vectors that a job reads of what was staged. */
  private List<Float> records() throws Exception {
    Path staged = folder.resolve("staged");
    Configuration job = new Configuration(conf);
    InputSpec.of(Settings.NONE.withText(InputKeys.RECORD, "vector", "record"), List.of())
        .with(new SourceReference(staged.toString(), npy.getClass().getName(), true))
        .toConf(job);
    return Tasks.readAll(new DatasetInputFormat(), staged, job).stream()
        .map(read -> read.value().toFloats()[0])
        .toList();
  }

  private Location location() {
    return Location.of(new LocalFolder(folder.resolve("own data")));
  }

  @Test
  void whatOptionsDescribeIsReadFromWhatWasStaged() throws Exception {
    write("layer_1/run9.npz", 2, 100, "acts");
    write("layer_0/run9.npz", 2, 0, "acts");
    write("layer_0/run10.npz", 1, 50, "acts");
    write("layer_1/run10.npz", 1, 150, "acts");
    Settings asked = settings("acts=token,dim", "layer_{layer}/run{example}.npz", "flatten");
    ActivationDataset dataset = stage(asked);
    assertThat(dataset.geometry().layers()).containsExactly(0, 1);
    assertThat(dataset.geometry().examples()).isEqualTo(3);
    assertThat(messages).hasSize(1).first().asString().startsWith("unpack: 4 shards, ");
    assertThat(records()).containsExactlyInAnyOrder(0f, 100f, 2f, 102f, 50f, 150f);
  }

  @Test
  void manySmallFilesAreStagedTogether() throws Exception {
    for (int i = 0; i < 201; i++) {
      write("a" + i + ".npz", 1, i, "acts");
    }
    stage(Settings.NONE);
    assertThat(tasks.splits).hasSize(1);
    assertThat(tasks.splits.get(0)).hasSize(3);
    assertThat(records()).hasSize(201).startsWith(0f, 1f, 2f, 3f).endsWith(199f, 200f);
    Files.delete(folder.resolve("staged/done-00001"));
    stage(Settings.NONE);
    assertThat(tasks.splits.get(1)).hasSize(1);
    assertThat(records()).hasSize(201).contains(150f);
  }

  @Test
  void arraysThatAreNoDatasetAreRefusedBeforeTheyAreStaged() throws Exception {
    write("a.npz", 1, 0, "one", "two");
    assertFails(ArrayError.AMBIGUOUS, folder.resolve("own data/a.npz"), () -> stage(Settings.NONE));
    assertThat(tasks.splits).isEmpty();
  }

  @Test
  void onlyCompressedArraysOfTheFilesThatAreNamedMustBeStaged() throws Exception {
    write("a.npz", 1, 0, "acts");
    assertThat(npy.stream(location(), Settings.NONE)).isPresent();
    assertFails(
        NpyError.COMPRESSED,
        folder.resolve("own data/a.npz"),
        () -> npy.open(location(), Settings.NONE, DatasetFormats.registry()));
    Files.write(folder.resolve("own data/b.npy"), new byte[1]);
    Settings other = Settings.NONE.withText(ArrayKeys.FILES, "b.npy", "--files");
    assertThat(npy.stream(location(), other)).isEmpty();
  }
}
