package org.saevhadoop.mapreduce;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.saevhadoop.format.activations.ActivationManifest;
import org.saevhadoop.format.activations.Extraction;
import org.saevhadoop.format.activations.Origin;
import org.saevhadoop.format.activations.PickleTarget;
import org.saevhadoop.format.activations.ShardForm;
import org.saevhadoop.format.attributes.AttributeCursor;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.gzip.BgzfOutput;

/**
 * Writes pickled activation shards, which Python loads. {@code saev.output.geometry} or {@code
 * saev.output.metadata} says the shape; blocks come layer after layer, as {@code saev.output.spool}
 * says, or as whole examples. Job commit writes metadata.json.
 */
public final class ActivationPickleOutputFormat extends ActivationOutputFormat {
  private static final long MB = 1_000_000;
  private static final long LEAST_MB = 10;
  private static final long MOST_MB = 2000;
  private static final List<Long> PROTOCOLS = List.of(2L, 4L, 5L);
  private static final String AUTO = "auto";
  private static final long MOST_LEVEL = 9;
  private static final String EXTRACTION = "extraction_config";
  private static final String DISTRIBUTED = "distributed_config";
  private static final String SECONDS = "extraction_duration_seconds";

  /** Python's NaN goes through, and so does every character through a job's XML. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build();

  /** What shards are in. */
  public enum Container {
    BGZF,
    SINGLE_MEMBER,
    NONE
  }

  private enum Numbers {
    ORIGINAL,
    RECORD
  }

  /**
   * Sets what is known of the activations' making, as the manifest of their source has it.
   *
   * @param extraction null where it is not known, as the others
   */
  public static void setExtraction(
      Configuration conf, ObjectNode extraction, ObjectNode distributed, Double seconds) {
    ObjectNode config = JSON.createObjectNode();
    if (extraction != null) {
      config.set(EXTRACTION, extraction);
    }
    if (distributed != null) {
      config.set(DISTRIBUTED, distributed);
    }
    if (seconds != null) {
      config.put(SECONDS, seconds);
    }
    try {
      SaevConf.OUTPUT_PICKLE_CONFIG.set(conf, JSON.writeValueAsString(config));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Sets where examples without attributes come from. */
  public static void setOrigin(Configuration conf, String source, String format) {
    SaevConf.OUTPUT_PICKLE_SOURCE.set(conf, source);
    SaevConf.OUTPUT_PICKLE_SOURCE_FORMAT.set(conf, format);
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    Configuration conf = job.getConfiguration();
    if (SaevConf.OUTPUT_PICKLE_CREATED.get(conf).isEmpty()) {
      SaevConf.OUTPUT_PICKLE_CREATED.set(conf, Instant.now().toString());
    }
    super.checkOutputSpecs(job);
  }

  @Override
  public DatasetTarget target(Configuration conf) throws IOException {
    Geometry geometry = geometry(conf, SaevOutputFormat.metadata(conf).orElse(null));
    if (geometry == null) {
      throw new IllegalArgumentException(
          "neither %s nor %s is set (one must say the shape of the dataset)"
              .formatted(SaevConf.OUTPUT_GEOMETRY.key(), SaevConf.OUTPUT_SAEV_METADATA.key()));
    }
    return new PickleTarget(
        geometry,
        MB * number(conf, SaevConf.OUTPUT_PICKLE_SHARD_MB, LEAST_MB, MOST_MB),
        form(conf),
        new Later(conf, geometry.table()),
        new Origin(
            known(SaevConf.OUTPUT_PICKLE_SOURCE.getPlain(conf)),
            known(SaevConf.OUTPUT_PICKLE_SOURCE_FORMAT.getPlain(conf))),
        extraction(conf),
        directory(conf));
  }

  private static ShardForm form(Configuration conf) {
    long protocol = SaevConf.OUTPUT_PICKLE_PROTOCOL.getLong(conf, 2);
    if (!PROTOCOLS.contains(protocol)) {
      throw new IllegalArgumentException(
          "%s is %d (expected one of %s)"
              .formatted(SaevConf.OUTPUT_PICKLE_PROTOCOL.key(), protocol, PROTOCOLS));
    }
    Container container = SaevConf.OUTPUT_PICKLE_CONTAINER.getEnum(conf, Container.class);
    Integer level =
        SaevConf.OUTPUT_PICKLE_LEVEL.get(conf).equals(AUTO)
            ? null
            : (Integer) (int) number(conf, SaevConf.OUTPUT_PICKLE_LEVEL, 0, MOST_LEVEL);
    return new ShardForm(
        SaevConf.OUTPUT_PICKLE_DIALECT.getEnum(conf, ActivationManifest.Form.class),
        (int) protocol,
        container == Container.NONE
            ? null
            : new BgzfOutput.Options(
                level, container == Container.SINGLE_MEMBER, BgzfOutput.Options.DEFAULT.threads()),
        SaevConf.OUTPUT_PICKLE_DTYPE.getEnum(conf, Numbers.class) == Numbers.ORIGINAL);
  }

  private static long number(Configuration conf, SaevConf key, long least, long most) {
    long number = key.getLong(conf, least);
    if (number > most) {
      throw new IllegalArgumentException(
          "%s is %d (expected %d to %d)".formatted(key.key(), number, least, most));
    }
    return number;
  }

  private static String known(String text) {
    return text.isEmpty() ? null : text;
  }

  private static Extraction extraction(Configuration conf) {
    String created = SaevConf.OUTPUT_PICKLE_CREATED.get(conf);
    String config = SaevConf.OUTPUT_PICKLE_CONFIG.getPlain(conf);
    try {
      Instant written = created.isEmpty() ? Instant.now() : Instant.parse(created);
      JsonNode known = JSON.readTree(config.isEmpty() ? "{}" : config);
      return new Extraction(
          object(known, EXTRACTION),
          object(known, DISTRIBUTED),
          null,
          null,
          known.path(SECONDS).isNumber() ? (Double) known.path(SECONDS).doubleValue() : null,
          written);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          SaevConf.OUTPUT_PICKLE_CONFIG.key() + " is no JSON: " + e.getOriginalMessage(), e);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\" (expected 2026-01-31T12:00:00Z or the like)"
              .formatted(SaevConf.OUTPUT_PICKLE_CREATED.key(), created),
          e);
    }
  }

  private static ObjectNode object(JsonNode node, String key) {
    return node.get(key) instanceof ObjectNode object ? object : null;
  }

  /** Where the dataset is seen in the end, a local path without its scheme. */
  private static String directory(Configuration conf) {
    String published = SaevConf.OUTPUT_PUBLISH.get(conf);
    String path = published.isEmpty() ? conf.get(FileOutputFormat.OUTDIR, "") : published;
    return path.isEmpty() ? "" : new Path(path).toString().replaceFirst("^file:(//)?(?=/)", "");
  }

  /**
   * Attributes of a dataset that is opened when they are asked for: most that ask write nothing.
   */
  private static final class Later implements Attributes {
    private final Configuration conf;
    private final Table table;
    private Attributes opened;

    Later(Configuration conf, Table table) {
      this.conf = conf;
      this.table = table;
    }

    @Override
    public AttributeCursor cursor(long first, long count) throws IOException {
      if (opened == null) {
        opened = ActivationOutputFormat.attributes(conf, table).orElse(Attributes.NONE);
      }
      return opened.cursor(first, count);
    }
  }
}
