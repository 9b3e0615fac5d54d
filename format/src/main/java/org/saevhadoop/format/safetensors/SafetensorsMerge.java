package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.format.ArrayKeys;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.parquet.index.TensorIndex;
import org.saevhadoop.format.safetensors.dataset.MergedTensors;
import org.saevhadoop.format.safetensors.dataset.SafetensorsDataset;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.dataset.TensorLayout;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.FileMerge;

/** Merges safetensors files of either layout under one manifest and, if there is one, one index. */
final class SafetensorsMerge implements FileMerge {
  /** Settings that are needed to read the files of the result in the same way. */
  private static final List<SettingKey<?>> NEEDED =
      List.of(
          ArrayKeys.TENSORS,
          SafetensorsKeys.LAYOUT_READ,
          SafetensorsKeys.SEPARATOR_READ,
          SafetensorsKeys.LENIENT,
          SafetensorsKeys.DROPPED);

  @Override
  public Survey survey(List<Source> sources) {
    return (combined, members) -> plan(sources, combined, members);
  }

  private static MergePlan plan(
      List<Source> sources, @Nullable TableDataset combined, Members members) throws IOException {
    List<SafetensorsTable> tables = new ArrayList<>();
    boolean indexed = false;
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      for (SettingKey<?> key : NEEDED) {
        if (source.settings().isSet(key)) {
          return MergePlan.rewriting(
              "%s is read with %s".formatted(source.path(), source.settings().nameOf(key)));
        }
      }
      Optional<SafetensorsTable> table =
          combined == null ? Optional.empty() : SafetensorsDataset.table(members.get(i));
      if (table.isEmpty()) {
        return MergePlan.rewriting("%s has arrays of another program".formatted(source.path()));
      }
      tables.add(table.get());
      indexed |= source.location().files().containsKey(TensorIndex.NAME);
    }
    MergePlan plan = MergedTensors.plan(tables, Objects.requireNonNull(combined));
    indexed |= tables.get(0).layout() == TensorLayout.KV;
    return plan.obstacle() == null && indexed ? indexed(plan) : plan;
  }

  private static MergePlan indexed(MergePlan plan) {
    List<String> files =
        plan.files().stream()
            .map(CopiedFile::to)
            .filter(name -> name.endsWith(SafetensorsTable.SUFFIX))
            .toList();
    return plan.with(
        written -> SafetensorsWriting.indexed(files, plan.finisher().documents(written), written));
  }

  @Override
  public ByteBuffer head(Input file, String head) throws IOException {
    return MergedTensors.head(file, head);
  }
}
