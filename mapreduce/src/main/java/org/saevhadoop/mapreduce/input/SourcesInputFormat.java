package org.saevhadoop.mapreduce.input;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MapContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.SettingTypes;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SourceKeys;
import org.saevhadoop.mapreduce.job.InputSpec;

/**
 * Reads several sources, each with an input format of its own: a split belongs to one source. The
 * keys of a source are {@code saev.input.<i>.*} ({@link SourceKeys}).
 */
public final class SourcesInputFormat<K, V> extends InputFormat<K, V> {
  private static final SettingKey<List<String>> FORMATS =
      SettingKey.internal(
          "saev.input.formats",
          SettingTypes.list(SettingTypes.name("CLASS", "a class")),
          null,
          "The input formats of the sources.");

  /** Adds a source to a job's configuration and returns its index. */
  public static int add(
      Configuration conf, Class<? extends InputFormat<?, ?>> format, InputSpec spec) {
    List<String> formats = new ArrayList<>(formats(conf));
    Configuration input = new Configuration(false);
    spec.toConf(input);
    SourceKeys.write(input, formats.size(), conf);
    formats.add(format.getName());
    ConfSettings.set(conf, FORMATS, formats);
    return formats.size() - 1;
  }

  /** Returns the index of the source that a map task reads; 0 if the job has only one. */
  public static int source(MapContext<?, ?, ?, ?> task) {
    return task.getInputSplit() instanceof SourceSplit split ? split.source() : 0;
  }

  private static List<String> formats(Configuration conf) {
    List<String> formats = ConfSettings.get(conf, FORMATS);
    return formats == null ? List.of() : formats;
  }

  @SuppressWarnings("unchecked") // the records are those that the mapper of the job expects
  private InputFormat<K, V> format(int source, Configuration conf) {
    String name = formats(conf).get(source);
    Class<?> type = conf.getClassByNameOrNull(name);
    if (type == null) {
      throw new SettingException(name + " is not on the class path (expected an input format)");
    }
    return (InputFormat<K, V>)
        ReflectionUtils.newInstance(type.asSubclass(InputFormat.class), conf);
  }

  @Override
  public List<InputSplit> getSplits(JobContext job) throws IOException, InterruptedException {
    Configuration conf = job.getConfiguration();
    List<SourceSplit> splits = new ArrayList<>();
    for (int i = 0; i < formats(conf).size(); i++) {
      JobConf own = new JobConf(SourceKeys.of(conf, i));
      own.setCredentials(job.getCredentials());
      JobContext context = new JobContextImpl(own, job.getJobID());
      for (InputSplit split : format(i, own).getSplits(context)) {
        splits.add(new SourceSplit(i, split));
      }
    }
    SplitMetadata.permit(splits, conf);
    return new ArrayList<>(splits);
  }

  @Override
  public RecordReader<K, V> createRecordReader(InputSplit split, TaskAttemptContext context)
      throws IOException, InterruptedException {
    SourceSplit own = (SourceSplit) split;
    TaskAttemptContext task = task(own, context);
    RecordReader<K, V> reader =
        format(own.source(), task.getConfiguration()).createRecordReader(own.split(), task);
    return new SourceReader<>(reader);
  }

  /**
   * Returns the context of a task, but with a configuration in which the keys of a source apply.
   */
  private static TaskAttemptContext task(SourceSplit split, TaskAttemptContext task) {
    Configuration own = SourceKeys.of(task.getConfiguration(), split.source());
    return (TaskAttemptContext)
        Proxy.newProxyInstance(
            TaskAttemptContext.class.getClassLoader(),
            new Class<?>[] {TaskAttemptContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("getConfiguration") ? own : method.invoke(task, arguments));
  }

  /** Reads a source, with its keys. */
  private static final class SourceReader<K, V> extends RecordReader<K, V> {
    private final RecordReader<K, V> reader;

    SourceReader(RecordReader<K, V> reader) {
      this.reader = reader;
    }

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context)
        throws IOException, InterruptedException {
      SourceSplit own = (SourceSplit) split;
      reader.initialize(own.split(), task(own, context));
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
      return reader.nextKeyValue();
    }

    @Override
    public K getCurrentKey() throws IOException, InterruptedException {
      return reader.getCurrentKey();
    }

    @Override
    public V getCurrentValue() throws IOException, InterruptedException {
      return reader.getCurrentValue();
    }

    @Override
    public float getProgress() throws IOException, InterruptedException {
      return reader.getProgress();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
