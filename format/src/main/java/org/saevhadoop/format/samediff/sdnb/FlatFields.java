package org.saevhadoop.format.samediff.sdnb;

/**
 * Indexes of the fields of the FlatBuffer tables: their positions in graph.fbs and its includes.
 */
final class FlatFields {
  static final int GRAPH_VARIABLES = 1;
  static final int GRAPH_NODES = 2;
  static final int GRAPH_METADATA_KEYS = 9;
  static final int GRAPH_METADATA_VALUES = 10;
  static final int GRAPH_FIELDS = 12;

  static final int VARIABLE_ID = 0;
  static final int VARIABLE_NAME = 1;
  static final int VARIABLE_TYPE = 2;
  static final int VARIABLE_SHAPE = 3;
  static final int VARIABLE_VALUES = 4;
  static final int VARIABLE_DEVICE = 5;
  static final int VARIABLE_KIND = 6;
  static final int VARIABLE_FIELDS = 10;

  static final int ARRAY_SHAPE = 0;
  static final int ARRAY_BUFFER = 1;
  static final int ARRAY_TYPE = 2;
  static final int ARRAY_ORDER = 3;
  static final int ARRAY_CHUNKS = 4;
  static final int ARRAY_TOTAL = 5;
  static final int ARRAY_EXTERNAL_NAME = 6;
  static final int ARRAY_IS_EXTERNAL = 7;
  static final int ARRAY_APPENDED_OFFSET = 8;
  static final int ARRAY_APPENDED_LENGTH = 9;
  static final int ARRAY_FIELDS = 10;

  static final int PAIR_FIRST = 0;
  static final int PAIR_SECOND = 1;
  static final int PAIR_FIELDS = 2;

  private FlatFields() {}

  /** Parts of a model that are not arrays. */
  enum ModelPart {
    NODES(GRAPH_NODES, true, "operations"),
    LOSS_VARIABLES(6, true, "loss variables"),
    TRAINING_CONFIG(7, false, "the training configuration"),
    UPDATER_STATE(8, true, "the state of the updater"),
    SUB_INSTANCES(11, true, "other models");

    private final int field;
    private final boolean vector;
    private final String title;

    ModelPart(int field, boolean vector, String title) {
      this.field = field;
      this.vector = vector;
      this.title = title;
    }

    int field() {
      return field;
    }

    /** Returns whether the part is a vector of offsets, which may be empty. */
    boolean isVector() {
      return vector;
    }

    String title() {
      return title;
    }
  }
}
