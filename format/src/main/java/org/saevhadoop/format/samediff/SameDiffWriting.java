package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.DatasetError;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.SameDiffKeys.Container;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.dataset.ContainerLimits;
import org.saevhadoop.format.samediff.dataset.SdnbWritePlan;
import org.saevhadoop.format.samediff.dataset.SdzWritePlan;
import org.saevhadoop.format.samediff.dataset.WrittenArrays;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.settings.SettingException;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.settings.Settings;
import org.saevhadoop.format.spi.ConversionSource;
import org.saevhadoop.format.spi.DatasetWriting;
import org.saevhadoop.format.spi.PreparedWrite;
import org.saevhadoop.format.spi.WholeSource;
import org.saevhadoop.format.spi.WriteContext;
import org.saevhadoop.format.tensor.DType;

/** Writes containers according to the settings. */
final class SameDiffWriting implements DatasetWriting {
  @Override
  public List<SettingKey<?>> writingKeys() {
    return SameDiffKeys.WRITING;
  }

  @Override
  public List<SettingKey<?>> fileSizeKeys() {
    return List.of(SameDiffKeys.MAX_SHARD_BYTES);
  }

  @Override
  public void checkSettings(Settings settings) {
    for (SettingKey<?> key : List.of(SameDiffKeys.DEFLATE, SameDiffKeys.LEVEL)) {
      if (settings.isSet(key) && settings.get(SameDiffKeys.CONTAINER) != Container.SDZ) {
        throw new SettingException(settings.nameOf(key) + " needs --container sdz");
      }
    }
    if (settings.isSet(SameDiffKeys.LEVEL) && !settings.get(SameDiffKeys.DEFLATE)) {
      throw new SettingException(settings.nameOf(SameDiffKeys.LEVEL) + " needs --deflate");
    }
  }

  @Override
  public Set<DType> writableTypes() {
    return Arrays.stream(DType.values())
        .filter(dtype -> SdnbType.of(dtype).isPresent())
        .collect(Collectors.toSet());
  }

  @Override
  public boolean keepsStoredTypes(Settings settings, Collection<DType> stored, boolean samples) {
    return true;
  }

  @Override
  public PreparedWrite prepare(
      ConversionSource source, Settings settings, @Nullable WholeSource whole)
      throws FormatException {
    for (Column column : source.table().columns()) {
      DatasetError.NOT_CONVERTIBLE.check(
          SdnbType.of(column.dtype()).isPresent(),
          source.path(),
          "has column %s of type %s, which SameDiff lacks (expected another --dtype)",
          Quote.show(column.name()),
          column.dtype());
      DatasetError.NOT_CONVERTIBLE.check(
          StandardCharsets.UTF_8.newEncoder().canEncode(column.name()),
          source.path(),
          "has column %s, whose name is not Unicode text",
          Quote.show(column.name()));
    }
    long bytes = source.fullFileBytes();
    boolean sized =
        source.fileBytes() > 0
            && bytes < Objects.requireNonNull(SameDiffKeys.MAX_SHARD_BYTES.defaultValue());
    return PreparedWrite.of(
        sized ? settings.with(SameDiffKeys.MAX_SHARD_BYTES, bytes) : settings, source, List.of());
  }

  @Override
  public DatasetWrite write(Settings settings, WriteContext context) throws IOException {
    checkSettings(settings); // jobs written by users have no command line that does so
    TableShape table = context.table();
    LabelSource labels = context.labels();
    Instant created = settings.get(SameDiffKeys.CREATED);
    boolean zip = settings.get(SameDiffKeys.CONTAINER) == Container.SDZ;
    long maxBytes = settings.get(SameDiffKeys.MAX_SHARD_BYTES);
    long perGroup = ContainerLimits.examplesPerGroup(table, labels, maxBytes, zip);
    WrittenArrays arrays =
        new WrittenArrays(
            table,
            perGroup,
            context.provenance(),
            labels,
            created == null ? null : created.toEpochMilli());
    String name = settings.get(SameDiffKeys.NAME);
    if (!zip) {
      SdnbWritePlan plan = new SdnbWritePlan(arrays, name);
      ContainerLimits.check(context.directory(), plan);
      return plan.write(context.sampleMetadata());
    }
    boolean deflated = settings.get(SameDiffKeys.DEFLATE);
    int level = settings.get(SameDiffKeys.LEVEL).intValue();
    SdzWritePlan plan = new SdzWritePlan(arrays, name, maxBytes, deflated, level);
    ContainerLimits.check(context.directory(), plan);
    return plan.write(context.sampleMetadata());
  }

  @Override
  public Set<String> datasetFiles(Location folder) throws IOException {
    Set<String> files = new HashSet<>();
    SameDiffContainer.read(folder).parts().forEach(part -> files.add(part.file()));
    return files;
  }
}
