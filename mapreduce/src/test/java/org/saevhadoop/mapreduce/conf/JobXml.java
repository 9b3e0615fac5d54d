package org.saevhadoop.mapreduce.conf;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** The XML file in which the configuration of a job reaches its tasks. */
public final class JobXml {
  private JobXml() {}

  /** Returns a configuration as a task reads it. */
  public static Configuration through(Configuration conf) throws IOException {
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    conf.writeXml(xml);
    Configuration read = new Configuration(false);
    read.addResource(new ByteArrayInputStream(xml.toByteArray()), "job.xml");
    return read;
  }
}
