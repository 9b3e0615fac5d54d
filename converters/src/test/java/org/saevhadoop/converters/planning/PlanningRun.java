package org.saevhadoop.converters.planning;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import org.saevhadoop.mapreduce.SaevInputFormat;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;

/** Plans one job, and begins one task of it. After each line it waits for one. */
public final class PlanningRun {
  private PlanningRun() {}

  /** Arguments: the path of a dataset, its format, and settings {@code KEY=VALUE}. */
  public static void main(String[] args) throws Exception {
    Path path = new Path(args[0]);
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", path.toString());
    for (String setting : List.of(args).subList(2, args.length)) {
      conf.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    path.getFileSystem(conf).getFileStatus(path); // connects
    say("connected");
    InputFormat<?, ?> format =
        switch (args[1]) {
          case "saev" -> new SaevInputFormat();
          case "safetensors" -> new SafetensorsInputFormat();
          default -> new ActivationPickleInputFormat();
        };
    Job job = Job.getInstance(conf);
    FileInputFormat.addInputPath(job, path);
    long start = System.nanoTime();
    long before = processor();
    List<? extends InputSplit> splits = format.getSplits(job);
    String seconds = seconds(start);
    long processor = processor();
    long collections =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    System.gc();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    long hosts = 0;
    for (InputSplit split : splits) {
      hosts += split.getLocations().length;
    }
    say(
        "plan %s s (processor %.1f s, of which collections %.1f s), %d splits, %d hosts, then %d MiB:"
            .formatted(
                seconds,
                (processor - before) / 1e9,
                collections / 1e3,
                splits.size(),
                hosts,
                used >> 20));
    if (!args[1].equals("pickle")) {
      InputSplit middle = splits.get(splits.size() / 2);
      TaskAttemptContext task =
          new TaskAttemptContextImpl(
              job.getConfiguration(), new TaskAttemptID("bench", 1, TaskType.MAP, 0, 0));
      long taskStart = System.nanoTime();
      RecordReader<?, ?> reader = format.createRecordReader(middle, task);
      reader.initialize(middle, task);
      say("task %s s:".formatted(seconds(taskStart)));
      reader.close();
    }
  }

  /** Returns the processor time of this JVM in nanoseconds. */
  private static long processor() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static String seconds(long start) {
    return "%.1f".formatted((System.nanoTime() - start) / 1e9);
  }

  private static void say(String line) throws IOException {
    System.out.println(line);
    if (System.in.read() < 0) {
      throw new IOException("not expected in this test");
    }
  }
}
