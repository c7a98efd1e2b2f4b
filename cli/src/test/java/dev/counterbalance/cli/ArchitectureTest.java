package dev.counterbalance.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Random;

/** The rules of dependency between the modules and their packages. */
@AnalyzeClasses(packages = "dev.counterbalance", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] PURE = {
    "..whatif.engine..",
    "..whatif.domain..",
    "..whatif.rule..",
    "..whatif.rules..",
    "..whatif.workload.."
  };

  @ArchTest
  static final ArchRule MODULES_MEET_AT_THE_TRACE =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("dev.counterbalance..")
          .withOptionalLayers(true)
          .layer("trace")
          .definedBy("dev.counterbalance.trace..")
          .layer("ingest")
          .definedBy("dev.counterbalance.ingest..")
          .layer("analysis")
          .definedBy("dev.counterbalance.analysis..")
          .layer("whatif")
          .definedBy("dev.counterbalance.whatif..")
          .layer("cli")
          .definedBy("dev.counterbalance.cli..")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("ingest")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("analysis")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("whatif")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("trace")
          .mayOnlyBeAccessedByLayers("ingest", "analysis", "whatif", "cli");

  @ArchTest
  static final ArchRule ONLY_THE_STORE_USES_ARROW =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.counterbalance.trace.store..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.arrow..");

  @ArchTest
  static final ArchRule ONLY_STORE_AND_ANALYSIS_USE_JDBC =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.counterbalance.trace.store..", "dev.counterbalance.analysis..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "org.duckdb..");

  @ArchTest
  static final ArchRule ONLY_ANALYSIS_USES_TABLESAW =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.counterbalance.analysis..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("tech.tablesaw..");

  @ArchTest
  static final ArchRule ONLY_THE_CLI_KNOWS_TERMINALS =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.counterbalance.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..", "org.jline..", "me.tongfei..");

  @ArchTest
  static final ArchRule ONLY_THE_CLI_USES_THE_STANDARD_STREAMS =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.counterbalance.cli..")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(System.class, "exit", int.class);

  @ArchTest
  static final ArchRule RENDERING_KNOWS_NO_STORE =
      noClasses()
          .that()
          .resideInAPackage("dev.counterbalance.cli.render..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.counterbalance..")
                  .and(not(resideInAPackage("dev.counterbalance.cli.render..")))
                  .or(resideInAPackage("java.sql..")));

  @ArchTest
  static final ArchRule THE_SIMULATOR_IS_PURE =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(
              not(
                  resideInAnyPackage(
                          "java..",
                          "dev.counterbalance.trace.event..",
                          "dev.counterbalance.trace.machine..",
                          "dev.counterbalance.trace.kernel..")
                      .or(resideInAnyPackage(PURE))))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule THE_SIMULATOR_HAS_NO_CLOCK_CHANCE_OR_THREADS =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("java.util.concurrent..", "java.time..", "java.sql..")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule THE_SIMULATOR_HAS_NO_STATIC_STATE =
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(PURE)
          .and()
          .areStatic()
          .should()
          .notBeFinal()
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule NO_PACKAGE_CYCLES =
      slices().matching("dev.counterbalance.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule FORMATS_DO_NOT_KNOW_EACH_OTHER =
      slices()
          .matching("dev.counterbalance.ingest.(*)..")
          .should()
          .notDependOnEachOther()
          .ignoreDependency(
              resideInAPackage("dev.counterbalance.ingest.."),
              resideInAnyPackage(
                  "dev.counterbalance.ingest.io..",
                  "dev.counterbalance.ingest.ring..",
                  "dev.counterbalance.ingest.tracefs.."))
          .allowEmptyShould(true);
}
