package org.saevhadoop.mapreduce.io;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;
import org.apache.hadoop.io.WritableComparable;
import org.saevhadoop.format.api.PublicApi;
import org.saevhadoop.format.dataset.TableShape;

/**
 * The position of a record: the example, the layer as the model numbers it, and the first token in
 * the file (0 is [CLS] if it was stored). The layer of a record that contains a whole example is
 * {@link #ALL}.
 */
@PublicApi
public final class ActivationKey implements WritableComparable<ActivationKey> {
  /** The layer of a record that contains all requested layers. */
  public static final int ALL = TableShape.ALL_COLUMNS;

  private static final Comparator<ActivationKey> ORDER =
      Comparator.comparingLong(ActivationKey::example)
          .thenComparingInt(ActivationKey::layer)
          .thenComparingInt(ActivationKey::token);

  private long example;
  private int layer;
  private int token;

  /** Creates a key that Hadoop fills in. */
  public ActivationKey() {}

  /** Creates a key. */
  public ActivationKey(long example, int layer, int token) {
    set(example, layer, token);
  }

  /** Replaces all fields of this key. */
  public void set(long example, int layer, int token) {
    this.example = example;
    this.layer = layer;
    this.token = token;
  }

  /** Returns the number of the example in the dataset. */
  public long example() {
    return example;
  }

  /** Returns the layer as the model numbers it, or {@link #ALL}. */
  public int layer() {
    return layer;
  }

  /** Returns the first token of the record. */
  public int token() {
    return token;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(example);
    out.writeInt(layer);
    out.writeInt(token);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    example = in.readLong();
    layer = in.readInt();
    token = in.readInt();
  }

  @Override
  public int compareTo(ActivationKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ActivationKey key && compareTo(key) == 0;
  }

  @Override
  public int hashCode() {
    return (Long.hashCode(example) * 31 + layer) * 31 + token;
  }

  @Override
  public String toString() {
    return "example " + example + (layer == ALL ? "" : " layer " + layer) + " token " + token;
  }
}
