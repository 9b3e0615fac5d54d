package org.saevhadoop.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.safetensors.header.SafetensorsFiles;
import org.saevhadoop.format.safetensors.header.TensorSpec;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.job.PlanningKeys;
import org.saevhadoop.mapreduce.output.ActivationOutputFormat;

/** What plans and tasks ask a storage. */
@ResourceLock(FaultyFileSystem.SCHEME)
class PlanningRequestsTest {
  /** 2 examples of 4 tokens of one float. */
  private static final int SHARD_BYTES = 32;

  private final Configuration conf = new Configuration();
  @TempDir private Path temporary;

  @BeforeEach
  void countRequests() {
    FaultyFileSystem.register(conf);
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", SHARD_BYTES);
  }

  @Test
  void aFileMoreCostsThePlanOneRequestMore() throws Exception {
    for (InputFormat<?, ?> format : formats()) {
      Map<String, Integer> few = planned(format, 5);
      Map<String, Integer> many = planned(format, 45);
      // which would need a status of each file
      assertThat(few).containsEntry("locations", 5).doesNotContainKey("locations by status");
      assertThat(many).containsEntry("locations", 45);
      many.put("locations", 5);
      assertThat(many).as(format.toString()).isEqualTo(few);
    }
  }

  @Test
  void aPlanListsTheFolderOnceAndOpensDocuments() throws Exception {
    assertThat(planned(new SaevInputFormat(), 5))
        .containsEntry("listing", 1)
        .containsEntry("open", 3); // metadata.json, shards.json, and no marker: this is not HDFS
    assertThat(planned(new SafetensorsInputFormat(), 5))
        .containsEntry("listing", 1)
        .containsEntry("open", 3); // the manifest, the first header, and no marker
  }

  @Test
  void hostsAreThoseOfTheFileOfASplit() throws Exception {
    List<InputSplit> splits = plan(new SaevInputFormat(), dataset(new SaevInputFormat(), 20));
    assertThat(splits).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(splits.get(i).getLocations()).containsExactly("host-of-acts%06d.bin".formatted(i));
    }
  }

  @Test
  void aDatasetOfTooManyFilesIsPlannedWithoutHosts() throws Exception {
    ConfSettings.set(conf, PlanningKeys.LOCATED_FILES, 5L);
    for (InputFormat<?, ?> format : formats()) {
      assertThat(planned(format, 5)).containsEntry("locations", 5);
      Path folder = dataset(format, 6);
      FaultyFileSystem.requests();
      List<InputSplit> splits = plan(format, folder);
      assertThat(FaultyFileSystem.requests()).doesNotContainKey("locations");
      assertThat(splits).hasSize(6);
      for (InputSplit split : splits) {
        assertThat(split.getLocations()).isEmpty();
      }
    }
  }

  @Test
  void aTaskOpensItsFileAndNoListsAreMade() throws Exception {
    assertThat(read(new SaevInputFormat(), 45)) // metadata.json and the file
        .isEqualTo(Map.of("open", 2, "status", 3));
    assertThat(read(new SafetensorsInputFormat(), 45)) // the manifest, the first header, the file
        .isEqualTo(Map.of("open", 3, "status", 4));
  }

  @Test
  void aTaskThatWritesSampleMetadataMakesNoLists() throws Exception {
    Path folder = dataset(new SaevInputFormat(), 45);
    for (int shard = 0; shard < 45; shard++) {
      String name = "acts%06d.bin".formatted(shard);
      try (SidecarWriter writer = new SidecarWriter(new LocalFolder(folder), name, 2 * shard, 2)) {
        writer.write(new ExampleMetadata(2L * shard, "{}"));
      }
    }
    // metadata.json, the sidecar of the file, and the next one, to see that it is of other examples
    assertThat(written(folder)).isEqualTo(Map.of("open", 3, "status", 4));
  }

  @Test
  void aTaskThatFindsNoSampleMetadataListsTheFolderOnce() throws Exception {
    Path folder = dataset(new SaevInputFormat(), 45);
    assertThat(written(folder)).isEqualTo(Map.of("open", 1, "status", 3, "listing", 1));
  }

  /** What a task asks that writes two examples with the sample metadata of a dataset. */
  private Map<String, Integer> written(Path folder) throws Exception {
    Job job = Job.getInstance(conf);
    Configuration own = job.getConfiguration();
    SaevOutputFormat.setMetadata(own, Files.readAllBytes(folder.resolve("metadata.json")));
    ActivationOutputFormat.setSampleMetadata(
        own, FaultyFileSystem.path(folder), SaevInputFormat.class);
    FileOutputFormat.setOutputPath(
        job, new org.apache.hadoop.fs.Path(temporary.resolve("out").toUri()));
    FaultyFileSystem.requests();
    SaevOutputFormat format = new SaevOutputFormat();
    format.checkOutputSpecs(job);
    assertThat(FaultyFileSystem.requests()).containsKey("listing");
    TaskAttemptContext task = Tasks.attempt(own, 0, 0);
    format.getOutputCommitter(task).setupJob(task);
    RecordWriter<ActivationKey, ActivationWritable> writer = format.getRecordWriter(task);
    for (int example = 20; example < 22; example++) {
      writer.write(
          new ActivationKey(example, ActivationKey.ALL, 0),
          new ActivationWritable(new int[] {1, 4, 1}, ByteBuffer.allocate(16)));
    }
    writer.close(task);
    return FaultyFileSystem.requests();
  }

  @Test
  void hostsOfManySplitsMayNeedMoreThanHadoopPermits() throws Exception {
    conf.setLong("mapreduce.job.split.metainfo.maxsize", 1000);
    Job job = job(dataset(new SaevInputFormat(), 45));
    new SaevInputFormat().getSplits(job);
    assertThat(job.getConfiguration().getLong("mapreduce.job.split.metainfo.maxsize", 0))
        .isBetween(45L * 24, 45L * 100);
  }

  @Test
  void theLimitOfHostsStaysIfItSufficesOrIsNone() throws Exception {
    for (long limit : new long[] {-1, 10_000}) {
      conf.setLong("mapreduce.job.split.metainfo.maxsize", limit);
      Job job = job(dataset(new SaevInputFormat(), 45));
      new SaevInputFormat().getSplits(job);
      assertThat(job.getConfiguration().getLong("mapreduce.job.split.metainfo.maxsize", 0))
          .isEqualTo(limit);
    }
  }

  private static List<InputFormat<?, ?>> formats() {
    return List.of(
        new SaevInputFormat(), new SafetensorsInputFormat(), new ActivationPickleInputFormat());
  }

  private Map<String, Integer> planned(InputFormat<?, ?> format, int shards) throws Exception {
    Path folder = dataset(format, shards);
    FaultyFileSystem.requests();
    assertThat(plan(format, folder)).hasSize(shards);
    return new TreeMap<>(FaultyFileSystem.requests());
  }

  private Map<String, Integer> read(InputFormat<?, ?> format, int shards) throws Exception {
    Path folder = dataset(format, shards);
    InputSplit split = plan(format, folder).get(shards / 2);
    TaskAttemptContext task = Tasks.attempt(job(folder).getConfiguration(), 0, 0);
    FaultyFileSystem.requests();
    try (RecordReader<?, ?> reader = format.createRecordReader(split, task)) {
      reader.initialize(split, task);
      assertThat(reader.nextKeyValue()).isTrue();
    }
    return FaultyFileSystem.requests();
  }

  private List<InputSplit> plan(InputFormat<?, ?> format, Path folder) throws Exception {
    return format.getSplits(job(folder));
  }

  private Job job(Path folder) throws IOException {
    Job job = Job.getInstance(conf);
    FileInputFormat.addInputPath(job, FaultyFileSystem.path(folder));
    return job;
  }

  private Path dataset(InputFormat<?, ?> format, int shards) throws IOException {
    Path folder = Files.createTempDirectory(temporary, "dataset");
    String names =
        format instanceof SaevInputFormat
            ? "acts%06d.bin"
            : format instanceof SafetensorsInputFormat ? "part-%d.safetensors" : "shard_%d.pkl";
    if (format instanceof SaevInputFormat) {
      Files.writeString(
          folder.resolve("metadata.json"),
          """
          {"vit_family": "clip", "vit_ckpt": "x", "layers": [13], "n_patches_per_img": 3, \
          "cls_token": true, "d_vit": 1, "n_imgs": %d, "max_patches_per_shard": 8, \
          "data": {"__class__": "X"}, "dtype": "float32", "protocol": "1.0.0"}
          """
              .formatted(2 * shards));
      Files.writeString(
          folder.resolve("shards.json"), list(shards, names, "{\"name\": \"%s\", \"n_imgs\": 2}"));
    }
    byte[] file = new byte[SHARD_BYTES];
    if (format instanceof SafetensorsInputFormat) {
      Path first = folder.resolve(names.formatted(0));
      TensorSpec tensor = new TensorSpec("layer_0", DType.F32, List.of(2L, 4L, 1L));
      SafetensorsFiles.write(first, null, List.of(tensor));
      file = Files.readAllBytes(first);
      String entry =
          "{\"shard_path\": \"%s\", \"samples_count\": 2, \"bytes\": " + file.length + "}";
      Files.writeString(
          folder.resolve("dataset_manifest.json"),
          "{\"format_version\": \"1.0\", \"shards\": " + list(shards, names, entry) + "}");
    }
    for (int i = 0; i < shards; i++) {
      Path path = folder.resolve(names.formatted(i));
      Files.write(path, file);
      if (format instanceof ActivationPickleInputFormat) {
        try (RandomAccessFile shard = new RandomAccessFile(path.toFile(), "rw")) {
          shard.setLength(1 << 20); // smaller ones share a split
        }
      }
    }
    return folder;
  }

  private static String list(int shards, String names, String entry) {
    return IntStream.range(0, shards)
        .mapToObj(i -> entry.formatted(names.formatted(i)))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
