package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.storage.StoragePath;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.conf.ConfSettings;
import org.saevhadoop.mapreduce.conf.SourceKeys;
import org.saevhadoop.mapreduce.input.ActivationInputFormat;
import org.saevhadoop.mapreduce.input.ExampleSplit;
import org.saevhadoop.mapreduce.io.ActivationKey;
import org.saevhadoop.mapreduce.io.ActivationWritable;
import org.saevhadoop.mapreduce.io.DatasetCounter;
import org.saevhadoop.mapreduce.io.HadoopPath;
import org.saevhadoop.mapreduce.io.StorageTokens;
import org.saevhadoop.mapreduce.job.InputSpec;
import org.saevhadoop.mapreduce.staging.SideFiles;

/** Runs a {@link Task} as a Hadoop map task. */
public final class TaskMapper
    extends Mapper<ActivationKey, ActivationWritable, LongWritable, BytesWritable> {
  private static final SettingKey<String> TASK =
      SettingKey.internalName("saev.task.class", "The class of the tasks.");

  private static final SettingKey<String> SECOND_FORMAT =
      SettingKey.internalName("saev.task.second", "The input format of the second dataset.");

  /** The index of the second dataset among the sources of a job. */
  private static final int SECOND = 1;

  private static final String INPUT = SettingKey.PREFIX + "input.";

  /** Sets the class of the tasks of a job. */
  public static void set(Job job, Class<? extends Task> task) {
    ConfSettings.set(job.getConfiguration(), TASK, task.getName());
    job.setMapperClass(TaskMapper.class);
    job.setMapOutputKeyClass(LongWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
  }

  /** Passes a second dataset to the tasks of a job, which open it. */
  public static void setSecond(Job job, JobInput second) throws IOException {
    InputSpec spec = Objects.requireNonNull(second.spec());
    Configuration input = new Configuration(false);
    spec.toConf(input);
    SourceKeys.write(input, SECOND, job.getConfiguration());
    ConfSettings.set(job.getConfiguration(), SECOND_FORMAT, second.format().getName());
    StorageTokens.obtain(job, new Path(Objects.requireNonNull(spec.source()).path()));
  }

  /** Returns the output of a Hadoop task. */
  public static TaskOutput output(
      TaskInputOutputContext<?, ?, LongWritable, BytesWritable> context) {
    return new TaskOutput() {
      @Override
      public void write(long key, byte[] bytes, int length)
          throws IOException, InterruptedException {
        context.write(new LongWritable(key), new BytesWritable(bytes, length));
      }

      @Override
      public Folder folder() throws IOException, InterruptedException {
        return SideFiles.create(context);
      }

      @Override
      public void written(long bytes) {
        context.getCounter(DatasetCounter.BYTES_WRITTEN).increment(bytes);
        context.progress();
      }
    };
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    Class<?> type = conf.getClassByNameOrNull(ConfSettings.get(conf, TASK));
    Task.of(type.asSubclass(Task.class)).run(new Records(context), output(context));
  }

  private static final class Records implements TaskInput {
    private final Context context;
    private final Configuration conf;
    private final ExampleSplit split;

    Records(Context context) {
      this.context = context;
      this.conf = context.getConfiguration();
      this.split = (ExampleSplit) context.getInputSplit();
    }

    @Override
    public <T> T get(SettingKey<T> key) {
      return ConfSettings.get(conf, key);
    }

    @Override
    public InputSpec spec() {
      return InputSpec.fromConf(conf, List.of());
    }

    @Override
    public TableDataset dataset() throws IOException {
      return ActivationInputFormat.openPart(context);
    }

    @Override
    public TableDataset second() throws IOException {
      Class<?> format = conf.getClassByNameOrNull(ConfSettings.get(conf, SECOND_FORMAT));
      return ActivationInputFormat.openPart(format, ofSecond(conf));
    }

    @Override
    public StoragePath path(String qualified) throws IOException {
      return HadoopPath.of(new Path(qualified), conf);
    }

    @Override
    public long first() {
      return split.first();
    }

    @Override
    public long count() {
      return split.count();
    }

    @Override
    public boolean next() throws IOException, InterruptedException {
      return context.nextKeyValue();
    }

    private ActivationKey key() {
      try {
        return context.getCurrentKey();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e); // never thrown by a record reader of this program
      }
    }

    private ActivationWritable value() {
      try {
        return context.getCurrentValue();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e); // never thrown by a record reader of this program
      }
    }

    @Override
    public long example() {
      return key().example();
    }

    @Override
    public int column() {
      return key().layer();
    }

    @Override
    public DType dtype() {
      return value().dtype();
    }

    @Override
    public int[] shape() {
      return value().shape();
    }

    @Override
    public ByteBuffer values() {
      return value().bytes();
    }

    @Override
    public void progress() {
      context.progress();
    }
  }

  /** Returns the configuration of the second dataset. */
  private static Configuration ofSecond(Configuration conf) {
    Configuration own = SourceKeys.of(conf, SECOND);
    for (Map.Entry<String, String> entry : conf) {
      String key = entry.getKey();
      boolean isFirst = key.startsWith(INPUT) && SourceKeys.base(key).isEmpty();
      String indexed = INPUT + SECOND + "." + key.substring(Math.min(key.length(), INPUT.length()));
      if (isFirst && conf.getRaw(indexed) == null) {
        own.unset(key);
      }
    }
    return own;
  }
}
