package org.saevhadoop.mapreduce;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.Selection;
import org.saevhadoop.format.reader.Tokens;
import org.saevhadoop.format.reader.View;
import org.saevhadoop.format.saev.SaevMetadata;

/** What a job asks of its input, read from its configuration. */
final class InputSelection {
  private enum Order {
    EXAMPLE,
    LAYER
  }

  private InputSelection() {}

  static Selection of(Configuration conf, TableDataset table) throws FormatException {
    boolean byLayer = SaevConf.INPUT_ORDER.getEnum(conf, Order.class) == Order.LAYER;
    BlockOrder order = new BlockOrder(byLayer, columns(conf, table));
    Selection.Unit unit = SaevConf.INPUT_RECORD.getEnum(conf, Selection.Unit.class);
    long group = SaevConf.INPUT_GROUP.getLong(conf, 1);
    if (!(table instanceof ActivationDataset dataset)) {
      FormatException.check(
          unit == Selection.Unit.BLOCK,
          table.folder().path(),
          "its columns %s are no activations (expected %s=block, or %s)",
          table.table().columns(),
          SaevConf.INPUT_RECORD.key(),
          SaevConf.INPUT_TENSORS.key());
      return Selection.whole(order, group, unit);
    }
    Tokens tokens = tokens(conf);
    String advice = SaevConf.INPUT_TOKENS.key() + "=all";
    int cls = tokens == Tokens.ALL ? 0 : SaevMetadata.clsTokens(dataset, advice);
    View view = View.of(dataset, cls, tokens, null);
    return new Selection(order, view.firstToken(), view.tokens(), group, unit);
  }

  private static Tokens tokens(Configuration conf) {
    try {
      return Tokens.parse(SaevConf.INPUT_TOKENS.get(conf));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(SaevConf.INPUT_TOKENS.key() + ": " + e.getMessage(), e);
    }
  }

  private static List<Integer> columns(Configuration conf, TableDataset dataset)
      throws FormatException {
    Table table = dataset.table();
    String value = SaevConf.INPUT_LAYERS.get(conf);
    if (value.equals("all")) {
      return BlockOrder.byExample(table).layerIndexes();
    }
    Set<Integer> indexes = new LinkedHashSet<>();
    for (String layer : value.split(",")) {
      int index;
      try {
        index = table.indexOf(Integer.parseInt(layer.trim()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "%s is \"%s\" (expected layers separated by commas, or all)"
                .formatted(SaevConf.INPUT_LAYERS.key(), value),
            e);
      }
      FormatException.check(
          index >= 0,
          dataset.folder().path(),
          "layer %s was not recorded (expected of %s)",
          layer.trim(),
          table.numbers());
      FormatException.check(
          indexes.add(index),
          dataset.folder().path(),
          "layer %s is asked for twice by %s",
          layer.trim(),
          SaevConf.INPUT_LAYERS.key());
    }
    return List.copyOf(indexes);
  }
}
