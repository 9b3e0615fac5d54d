package org.saevhadoop.mapreduce.conf;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a job whose tasks run in this process. Its copies share the sources that the
 * tasks read, so that each is opened once: listing a folder of many files for every task, and
 * reading their headers again, may take longer than reading the values.
 */
public final class SharingJobConf extends JobConf {
  /** The open sources by their indexes, also the lock under which they are opened. */
  private final Map<Integer, Object> sources;

  private final int source;

  /** Copies a configuration. A copy of a sharing configuration shares the sources with it. */
  public SharingJobConf(Configuration conf) {
    super(conf);
    if (conf instanceof SharingJobConf sharing) {
      this.sources = sharing.sources;
      this.source = sharing.source;
    } else {
      this.sources = new HashMap<>();
      this.source = 0;
    }
  }

  private SharingJobConf(SharingJobConf conf, int source) {
    super(conf);
    this.sources = conf.sources;
    this.source = source;
  }

  /** Copies a configuration for one of the sources of a job. */
  static Configuration copy(Configuration conf, int source) {
    return conf instanceof SharingJobConf sharing
        ? new SharingJobConf(sharing, source)
        : new Configuration(conf);
  }

  /**
   * Shares a source of the job.
   *
   * @param index the index of the source; 0 if it is the only one
   * @param open the open source; null if it is opened when it is first needed
   */
  public void share(int index, @Nullable Object open) {
    if (open != null) {
      synchronized (sources) {
        sources.put(index, open);
      }
    }
  }

  /**
   * Returns the source that a configuration names. With a configuration that is not of this class,
   * the source is always opened.
   *
   * @param type the class of all sources; objects of it must be thread-safe
   */
  public static <T> T source(
      Configuration conf, Class<T> type, CallableRaisingIOE<? extends T> opener)
      throws IOException {
    if (!(conf instanceof SharingJobConf sharing)) {
      return opener.apply();
    }
    synchronized (sharing.sources) {
      Object known = sharing.sources.get(sharing.source);
      T open = known == null ? opener.apply() : type.cast(known);
      sharing.sources.put(sharing.source, open);
      return open;
    }
  }
}
